// A win compared with what theory expects: the house's picture, redrawn only when a figure changes.
import { PicturePlace } from "/page/js/picture.js";

export class WinBand extends HTMLElement {
  place = new PicturePlace((picture) => picture && this.replaceChildren(picture));

  /**
   * Shows cents: what was won, what theory expects, and one deviation.
   * @param {{ win: number, theoretical: number, deviation: number }} figures
   */
  show({ win, theoretical, deviation }) {
    this.place.show(`/picture/band.svg?theoretical=${theoretical}&deviation=${deviation}&win=${win}`);
  }
}
customElements.define("win-band", WinBand);
