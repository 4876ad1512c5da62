// The office: Submissions on their way into force, pits and tables, people, devices, and the access log.
import { at, make } from "/page/js/dom.js";
import { shell } from "/page/js/shell.js";
import { t } from "/page/js/words.js";
import { showAccessLog } from "/page/js/office/access-log.js";
import { showDevices } from "/page/js/office/devices.js";
import { showPeople } from "/page/js/office/people.js";
import { showPits } from "/page/js/office/pits.js";
import { showSubmissions } from "/page/js/office/submissions.js";
import "/page/js/element/answer-line.js";

/** @type {Record<string, Page.OfficeSection>} */
const SECTIONS = {
  submissions: showSubmissions,
  pits: showPits,
  people: showPeople,
  devices: showDevices,
  log: showAccessLog,
};
const session = await shell({ page: "office" });
/** The sections for the user's role; the house allows or denies what each shows. */
const sections = Object.keys(SECTIONS).filter((name) => session.can.includes(`office_${name}`));

async function go() {
  const name = sections.includes(location.hash.slice(1)) ? location.hash.slice(1) : sections[0];
  at("sections").replaceChildren(
    ...sections.map((each) =>
      make("a", { href: `#${each}`, "aria-current": each === name ? "page" : null }, t(`office.section_${each}`)),
    ),
  );
  const answer = make("answer-line");
  const view = make("div", { class: `view ${name}` });
  at("section").replaceChildren(answer, view);
  try {
    await SECTIONS[name](view, { session, answer });
  } catch (error) {
    answer.show(error);
  }
}

if (!session.who) location.assign("/sign-on");
else if (!sections.length) at("section").replaceChildren(make("p", { class: "soft" }, t("office.not_for_you")));
else {
  addEventListener("hashchange", () => void go());
  await go();
}
