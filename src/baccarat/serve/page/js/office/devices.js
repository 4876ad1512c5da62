// Devices: consoles that are bound to a table; a code enrols one, and revoking it ends every session there.
import { make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { idText } from "/page/js/id_text.js";
import { timeOf } from "/page/js/time.js";
import { t } from "/page/js/words.js";
import { oneTime } from "/page/js/office/people.js";

/**
 * Shows the devices of the house.
 * @type {Page.OfficeSection}
 */
export async function showDevices(view, { answer }) {
  const draw = async () => {
    const [{ devices }, { tables }] = await Promise.all([ask("GET", "/api/devices"), ask("GET", "/api/tables")]);
    const table = make(
      "select",
      { name: "table" },
      tables.map((each) => new Option(each.table, each.table)),
    );
    const given = make("div");
    /** @param {Event} event */
    const code = async (event) => {
      event.preventDefault();
      try {
        const { secret } = await ask("POST", "/api/devices/code", { table: table.value });
        given.replaceChildren(oneTime(secret, t("office.code_once", { table: table.value })));
      } catch (error) {
        answer.show(error);
      }
    };
    /** @param {string} id */
    const revoke = async (id) => {
      try {
        await ask("DELETE", `/api/devices/${id}`);
        await draw();
      } catch (error) {
        answer.show(error);
      }
    };
    const rows = devices.map((each) =>
      make(
        "tr",
        { class: each.revoked ? "away" : null },
        make("td", {}, idText(each.id)),
        make("td", {}, each.table),
        make("td", {}, timeOf(each.made_at)),
        make(
          "td",
          {},
          each.revoked
            ? t("office.revoked")
            : make(
                "button",
                { type: "button", class: "button small", onclick: () => void revoke(each.id) },
                t("office.revoke"),
              ),
        ),
      ),
    );
    view.replaceChildren(
      make("h1", {}, t("office.section_devices")),
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
              ["office.device", "office.table", "office.since", "office.acts"].map((key) =>
                make("th", { scope: "col" }, t(key)),
              ),
            ),
          ),
          make(
            "tbody",
            {},
            rows.length ? rows : make("tr", {}, make("td", { colspan: 4, class: "quiet" }, t("office.no_devices"))),
          ),
        ),
      ),
      make(
        "section",
        { class: "panel padded" },
        make("h2", {}, t("office.new_device")),
        make("p", { class: "soft" }, t("office.new_device_about")),
        make(
          "form",
          { class: "fields", onsubmit: code },
          make("label", { class: "field" }, t("office.table"), table),
          make("div", { class: "do" }, make("button", { class: "button main" }, t("office.make_code"))),
        ),
        given,
      ),
    );
  };
  await draw();
}
