// People: who may sign on, in which roles; links by which they set a password; where they are signed on.
import { make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { idText } from "/page/js/id_text.js";
import { timeOf } from "/page/js/time.js";
import { named, t } from "/page/js/words.js";

/**
 * Does something about a person, shows in a place of the page why it failed, and the people again if they have changed.
 * @typedef {(work: () => unknown, place: HTMLElement, again?: boolean) => Promise<void>} Act
 */

/**
 * @param {House.Role[]} roles
 * @param {House.Role[]} chosen
 */
function roleBoxes(roles, chosen) {
  /** @type {[role: House.Role, box: HTMLInputElement][]} */
  const boxes = roles.map((role) => [role, make("input", { type: "checkbox", checked: chosen.includes(role) })]);
  const element = make(
    "fieldset",
    { class: "roles" },
    make("legend", {}, t("office.roles")),
    boxes.map(([role, box]) => make("label", { class: "check" }, box, named("role", role))),
  );
  return { element, read: () => boxes.filter(([, box]) => box.checked).map(([role]) => role) };
}

async function everybody() {
  /** @type {House.PersonShown[]} */
  const found = [];
  for (let cursor = ""; ;) {
    const { people, next } = await ask("GET", `/api/people?limit=100&cursor=${cursor}`);
    found.push(...people);
    if (!next) return found.sort((one, other) => one.name.localeCompare(other.name));
    cursor = next;
  }
}

/**
 * A secret that is shown once, with a button that copies it.
 * @param {string} text
 * @param {string} about
 */
export function oneTime(text, about) {
  const shown = make("input", { readonly: true, value: text, "aria-label": about, class: "line secret" });
  return make(
    "div",
    { class: "one-time" },
    make("p", {}, about),
    shown,
    make(
      "button",
      {
        type: "button",
        class: "button small",
        onclick: () => {
          shown.select();
          void navigator.clipboard?.writeText(text);
        },
      },
      t("office.copy"),
    ),
  );
}

/**
 * @param {House.PersonShown} person
 * @param {Act} act
 * @param {House.Role[]} allRoles
 */
function personRow(person, act, allRoles) {
  const more = make("div", { class: "more" });
  /**
   * @param {string} key
   * @param {() => unknown} work
   */
  const button = (key, work) =>
    make("button", { type: "button", class: "button small", onclick: () => void act(() => work(), more) }, t(key));
  const link = async () => {
    const { secret } = await ask("POST", `/api/people/${person.id}/link`);
    more.replaceChildren(
      oneTime(
        `${location.origin}/password#${encodeURIComponent(secret)}`,
        t("office.link_once", { name: person.name }),
      ),
    );
  };
  const sessions = async () => {
    const { sessions: found } = await ask("GET", `/api/people/${person.id}/sessions`);
    /** @param {string} id */
    const end = (id) =>
      act(async () => {
        await ask("DELETE", `/api/sessions/${id}`);
        await sessions();
      }, more);
    more.replaceChildren(
      make(
        "ul",
        { class: "lines" },
        found.length
          ? found.map((each) =>
              make(
                "li",
                {},
                t("office.session", {
                  role: named("role", each.role),
                  table: each.table || "–",
                  since: timeOf(each.made_at),
                  seen: timeOf(each.seen_at),
                }),
                " ",
                make(
                  "button",
                  { type: "button", class: "button small", onclick: () => void end(each.id) },
                  t("office.end_session"),
                ),
              ),
            )
          : make("li", { class: "quiet" }, t("office.no_session")),
      ),
    );
  };
  const roles = () => {
    const boxes = roleBoxes(allRoles, person.roles);
    more.replaceChildren(
      make(
        "form",
        {
          class: "fields",
          onsubmit: (event) => {
            event.preventDefault();
            void act(() => ask("PATCH", `/api/people/${person.id}`, { roles: boxes.read() }), more, true);
          },
        },
        boxes.element,
        make("div", { class: "do" }, make("button", { class: "button main small" }, t("office.save"))),
      ),
    );
  };
  const erase = () => {
    more.replaceChildren(
      make(
        "div",
        { class: "notice" },
        make("p", {}, t("office.erase_about", { name: person.name })),
        make(
          "button",
          {
            type: "button",
            class: "button small",
            onclick: () => void act(() => ask("DELETE", `/api/people/${person.id}`), more, true),
          },
          t("office.erase_really"),
        ),
      ),
    );
  };
  const active = () => act(() => ask("PATCH", `/api/people/${person.id}`, { active: !person.active }), more, true);
  return make(
    "li",
    { class: person.active ? null : "away" },
    make(
      "div",
      { class: "person" },
      make("div", {}, make("b", {}, person.name || t("office.erased")), " ", idText(person.id, { class: "quiet" })),
      make(
        "div",
        { class: "tags" },
        person.roles.map((role) => make("span", { class: "tag" }, named("role", role))),
        person.active ? null : make("span", { class: "tag held" }, t("office.not_let_in")),
        person.has_password ? null : make("span", { class: "tag held" }, t("office.no_password")),
      ),
      make(
        "div",
        { class: "buttons" },
        button("office.edit_roles", roles),
        button("office.password_link", link),
        button("office.sessions", sessions),
        make(
          "button",
          { type: "button", class: "button small", onclick: () => void active() },
          t(person.active ? "office.deactivate" : "office.activate"),
        ),
        button("office.erase", erase),
      ),
    ),
    more,
  );
}

/**
 * Shows who may sign on.
 * @type {Page.OfficeSection}
 */
export async function showPeople(view, { session: { sign_on_roles: roles }, answer }) {
  /** @type {Act} */
  const act = async (work, place, again = false) => {
    try {
      answer.show(null);
      await work();
      if (again) await draw();
    } catch (error) {
      const said = make("answer-line");
      place.replaceChildren(said);
      said.show(error);
    }
  };
  const draw = async () => {
    const people = await everybody();
    const boxes = roleBoxes(roles, []),
      name = make("input", { name: "name", required: true, maxlength: 200, autocomplete: "off" }),
      said = make("answer-line");
    const form = make(
      "form",
      {
        class: "fields",
        onsubmit: async (event) => {
          event.preventDefault();
          try {
            const made = await ask("POST", "/api/people", { name: name.value, roles: boxes.read() });
            const { secret } = await ask("POST", `/api/people/${made.id}/link`);
            await draw();
            answer.show(null);
            view.prepend(
              oneTime(
                `${location.origin}/password#${encodeURIComponent(secret)}`,
                t("office.link_once", { name: made.name }),
              ),
            );
          } catch (error) {
            said.show(error);
          }
        },
      },
      make("label", { class: "field" }, t("office.name"), name),
      boxes.element,
      said,
      make("div", { class: "do" }, make("button", { class: "button main" }, t("office.enter_person"))),
    );
    view.replaceChildren(
      make("h1", {}, t("office.section_people")),
      make(
        "section",
        { class: "panel" },
        make(
          "header",
          {},
          make(
            "h2",
            {},
            t(people.length === 1 ? "office.people_count_one" : "office.people_count", { count: people.length }),
          ),
        ),
        make(
          "ul",
          { class: "people" },
          people.map((person) => personRow(person, act, roles)),
        ),
      ),
      make("section", { class: "panel padded" }, make("h2", {}, t("office.new_person")), form),
    );
  };
  await draw();
}
