// Elements made from data: everything inserted is text or an element, never markup.

/**
 * An element; `on…` is a listener, values that are null or false are left out.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Page.Attributes} [attributes]
 * @param {Page.Children} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (key === "class") made.className = String(value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...shown(children));
  return made;
}

/**
 * What is put into an element, one after the other.
 * @param {Page.Children} children
 * @returns {(Node | string)[]}
 */
export const shown = (children) =>
  children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === "number" ? String(child) : child));

/**
 * The element of this page with an id.
 * @template {keyof PageElements} Id
 * @param {Id} id
 */
export const at = (id) => /** @type {PageElements[Id]} */ (document.getElementById(id));

/**
 * The element that a selector finds below another, where there always is one.
 * @template {string} Selector
 * @param {ParentNode} root
 * @param {Selector} selector
 */
export const within = (root, selector) =>
  /** @type {Selector extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Selector] : HTMLElement} */ (
    root.querySelector(selector)
  );

/**
 * The element that an event happened to.
 * @param {Event} event
 */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);

/**
 * Replaces the children of an element, unless a summary of them is unchanged.
 * @param {HTMLElement} element
 * @param {string} summary
 * @param {() => Page.Children} children
 */
export function fill(element, summary, children) {
  if (element.dataset.summary === summary) return;
  element.dataset.summary = summary;
  element.replaceChildren(...shown(children()));
}

/**
 * Keeps parts of an element up to date: each is [name, its data, how it is made]. One whose data are unchanged stays as
 * it is, with whatever was typed into it.
 * @param {HTMLElement} element
 * @param {[name: string, from: unknown, made: () => HTMLElement][]} parts
 */
export function keep(element, parts) {
  const children = /** @type {HTMLCollectionOf<HTMLElement>} */ (element.children);
  const had = new Map([...children].map((child) => [child.dataset.part, child]));
  parts.forEach(([name, from, made], index) => {
    const summary = JSON.stringify(from);
    let part = had.get(name);
    if (!part || part.dataset.summary !== summary) {
      const fresh = made();
      Object.assign(fresh.dataset, { part: name, summary });
      part?.replaceWith(fresh);
      part = fresh;
    }
    if (children[index] !== part) element.insertBefore(part, children[index] ?? null);
  });
  while (children.length > parts.length) children[children.length - 1].remove();
}
