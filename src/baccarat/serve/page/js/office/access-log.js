// The access log: who signed on in which role, who gave whom which rights, what was denied; newest first.
import { make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { idText, shortId } from "/page/js/id_text.js";
import { timeOf } from "/page/js/time.js";
import { t } from "/page/js/words.js";

/**
 * What happened; of a flood of denials, which is one line, how often and when.
 * @param {House.AccessLogEntry} entry
 */
const happened = ({ what, times, first_at, last_at }) =>
  times > 1 ? t("office.log_counted", { what, times, first: timeOf(first_at), last: timeOf(last_at) }) : what;

/**
 * Shows the access log, page by page.
 * @type {Page.OfficeSection}
 */
export async function showAccessLog(view, { answer }) {
  const body = make("tbody"),
    more = make("button", { type: "button", class: "button", onclick: () => void older() }, t("office.older"));
  let cursor = "";
  /** @param {House.AccessLogEntry} line */
  const row = (line) =>
    make(
      "tr",
      {},
      make("td", { class: "quiet" }, timeOf(line.at)),
      make("td", {}, happened(line)),
      make("td", {}, idText(line.person)),
      make("td", {}, line.by !== line.person ? idText(line.by) : ""),
      make("td", { title: line.about }, shortId(line.about)),
    );
  const next = async () => {
    const found = await ask("GET", `/api/access-log?newest=true&limit=50&cursor=${cursor}`);
    body.append(...found.lines.map(row));
    cursor = found.next;
    more.hidden = !cursor;
  };
  const older = async () => {
    more.disabled = true; // each page is requested once
    try {
      await next();
    } catch (error) {
      answer.show(error);
    } finally {
      more.disabled = false;
    }
  };
  view.replaceChildren(
    make("h1", {}, t("office.section_log")),
    make("p", { class: "soft" }, t("office.log_about")),
    make(
      "section",
      { class: "panel wide" },
      make(
        "table",
        {},
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            ["office.time", "office.happened", "office.person", "office.done_by", "office.about"].map((key) =>
              make("th", { scope: "col" }, t(key)),
            ),
          ),
        ),
        body,
      ),
    ),
    more,
  );
  await next();
}
