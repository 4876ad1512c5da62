// A win beside what theory expects: the picture of the house, drawn again only when a figure changes.
import { inlinePicture } from "/page/js/picture.js";

class WinBand extends HTMLElement {
  /** Shows cents: what was won, what theory expects, and one deviation. */
  async show({ win, theoretical, deviation }) {
    const address = `/picture/band.svg?theoretical=${theoretical}&deviation=${deviation}&win=${win}`;
    if (this.address === address) return;
    this.address = address;
    const drawn = await inlinePicture(address);
    if (this.address === address) this.replaceChildren(drawn);
  }
}
customElements.define("win-band", WinBand);
