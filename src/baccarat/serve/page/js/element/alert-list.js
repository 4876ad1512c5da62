// Alerts: what surveillance should look at, newest first, each with its clauses and a link to the place.
import { make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { timeOf } from "/page/js/time.js";
import { named, t, told } from "/page/js/words.js";

const FRESH = 120_000,
  LOOK = 10_000;

export class AlertList extends HTMLElement {
  /** @type {House.Alert[] | null} */
  alerts = null;
  here = "";
  drawn = "";

  connectedCallback() {
    if (!this.firstChild) this.append(make("p", { class: "soft" }, t("watch.alerts_coming")));
    this.timer = setInterval(() => {
      if (this.alerts) this.show(this.alerts, this.here);
    }, LOOK);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  /**
   * alerts as the house sends them; `here` is the table that is shown, whose name is left out.
   * @param {House.Alert[]} alerts
   * @param {string} [here]
   */
  show(alerts, here = "") {
    [this.alerts, this.here] = [alerts, here];
    const now = Date.now(),
      drawn = JSON.stringify([alerts.map((alert) => [alert.id, now - alert.at / 1000 < FRESH]), here]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (alerts.length === 0) {
      this.replaceChildren(make("p", { class: "soft" }, t("watch.no_alerts")));
      return;
    }
    this.replaceChildren(
      make(
        "ul",
        {},
        alerts.map((alert) => {
          const age = now - alert.at / 1000,
            when = timeOf(alert.at);
          const where = alert.seq
            ? `/watch/${encodeURIComponent(alert.table)}#${alert.shoe}/${alert.round}/${alert.seq}`
            : `/watch/${encodeURIComponent(alert.table)}`;
          return make(
            "li",
            { class: `alert ${alert.kind}${age < FRESH ? " fresh" : ""}` },
            make(
              alert.table ? "a" : "span",
              alert.table ? { href: where, class: "title" } : { class: "title" },
              named("watch.alert", alert.kind),
            ),
            make("span", { class: "when" }, alert.table === here || !alert.table ? when : `${alert.table} · ${when}`),
            make("p", {}, told(alert)),
            clauseTags(alert.cites),
          );
        }),
      ),
    );
  }
}
customElements.define("alert-list", AlertList);
