// The settings of the pages, in one place: language, theme, and on pages with cards what they look and sound like.
// @ts-check
import { make, within } from "/page/js/dom.js";
import { draw } from "/page/js/picture.js";
import { choose, chosen, CHOICES } from "/page/js/settings.js";
import { chooseLanguage, language, LANGUAGES, t } from "/page/js/words.js";

/** @type {import("/page/js/settings.js").Setting[]} */
const EVERYWHERE = ["theme"];
/** @type {import("/page/js/settings.js").Setting[]} */
const WITH_CARDS = ["theme", "suits", "speed"];
/** @type {import("/page/js/settings.js").Setting[]} */
const AT_A_TABLE = ["theme", "suits", "speed", "sounds", "voice"];

const gear = () =>
  draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, [
    draw("path", { d: "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3", stroke: "currentColor", "stroke-width": 1.8 }),
    ...[
      [15, 7],
      [9, 12],
      [15, 17],
    ].map(([cx, cy]) => draw("circle", { cx, cy, r: 2, fill: "none", stroke: "currentColor", "stroke-width": 1.8 })),
  ]);

export class SettingsMenu extends HTMLElement {
  menu = make("details");

  connectedCallback() {
    if (this.firstChild) return;
    const shown = this.hasAttribute("sounds") ? AT_A_TABLE : this.hasAttribute("cards") ? WITH_CARDS : EVERYWHERE;
    const label = t("settings.title");
    this.menu.append(
      make("summary", { class: "icon", "aria-label": label, title: label }, gear()),
      make("div", { class: "choices" }, this.languages(), ...shown.map((name) => this.choice(name))),
    );
    this.append(this.menu);
    this.menu.addEventListener("toggle", () => this.menu.open && within(this.menu, "select").focus());
    this.addEventListener("keydown", (event) => event.key === "Escape" && this.close({ back: true }));
    document.addEventListener("pointerdown", this);
  }

  disconnectedCallback() {
    document.removeEventListener("pointerdown", this);
  }

  /**
   * Closes the menu when something else is pressed.
   * @param {Event} event
   */
  handleEvent({ target }) {
    if (!(target instanceof Node && this.contains(target))) this.close();
  }

  /** Closes the menu; `back`: the focus returns to its button. */
  close({ back = false } = {}) {
    if (back && this.menu.open) within(this.menu, "summary").focus();
    this.menu.open = false;
  }

  languages() {
    const choice = make(
      "select",
      { id: "language" },
      Object.entries(LANGUAGES).map(([code, name]) => new Option(name, code, false, code === language)),
    );
    choice.addEventListener("change", () => chooseLanguage(choice.value));
    return make("label", {}, make("span", {}, t("bar.language")), choice);
  }

  /** @param {import("/page/js/settings.js").Setting} name */
  choice(name) {
    const now = chosen(name);
    const choice = make(
      "select",
      { name },
      CHOICES[name].map((each) => new Option(t(`settings.${name}.${each}`), each, false, each === now)),
    );
    choice.addEventListener("change", () => choose(name, choice.value));
    return make("label", {}, make("span", {}, t(`settings.${name}`)), choice);
  }
}
customElements.define("settings-menu", SettingsMenu);
