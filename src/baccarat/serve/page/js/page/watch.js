// Surveillance of one table: its journal as it grows, any round of any shoe replayed, alerts, records, audits, papers.
import { at } from "/page/js/dom.js";
import { HouseLine } from "/page/js/house_line.js";
import { shell } from "/page/js/shell.js";
import { TableSocket } from "/page/js/table_socket.js";
import { follow } from "/page/js/watch/asking.js";
import { drawHead } from "/page/js/watch/drawing.js";
import { name, now } from "/page/js/watch/looked_at.js";
import { drawPapers, showSigned } from "/page/js/watch/papers.js";
import { fromAddress, steer } from "/page/js/watch/steering.js";
import { t } from "/page/js/words.js";
import "/page/js/element/alert-list.js";

/** How long after the journal has grown the page asks how far it is signed. */
const SIGNED_AFTER = 3000;
let waits = 0;

function signedSoon() {
  waits ||= setTimeout(() => {
    waits = 0;
    void showSigned();
  }, SIGNED_AFTER);
}

/** Follows the table, and the alerts of the house. */
function followTable() {
  const socket = new TableSocket(name),
    line = new HouseLine();
  const grown = () => {
    void follow();
    signedSoon();
  };
  const linked = () => {
    const wasLost = now.link !== "";
    now.link = socket.isUp && (line.isUp || line.seq < 0) ? "" : t("watch.lost");
    if (wasLost && !now.link && now.film) grown();
    if (now.film) drawHead();
  };
  socket.addEventListener("noted", grown);
  socket.addEventListener("change", grown);
  for (const each of [socket, line]) each.addEventListener("link", linked);
  line.addEventListener("change", ({ detail }) => {
    if (detail.has("alerts")) at("alerts").show(line.get("alerts") ?? [], name);
  });
}

const session = await shell({ page: "watch", cards: true });
document.title = t("watch.title", { name });
at("search").placeholder = t("watch.search");
steer();
if (!session.pages.includes("watch")) at("answer").show({ say: t("watch.not_for_you") });
else {
  await fromAddress();
  followTable();
  await showSigned();
  drawPapers();
}
