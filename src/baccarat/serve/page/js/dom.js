// Elements made from data: everything inserted is text or an element, never markup.

/** An element; `on…` is a listener, values that are null or false are left out. */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const at = (id) => document.getElementById(id);

/** Replaces the children of an element, unless a summary of them is unchanged. */
export function fill(element, summary, children) {
  if (element.dataset.summary === summary) return;
  element.dataset.summary = summary;
  element.replaceChildren(...children());
}

/**
 * Keeps parts of an element up to date: each is [name, its data, how it is made]. One whose data are unchanged stays as
 * it is, with whatever was typed into it.
 */
export function keep(element, parts) {
  const had = new Map([...element.children].map((child) => [child.dataset.part, child]));
  parts.forEach(([name, from, made], index) => {
    const summary = JSON.stringify(from);
    let part = had.get(name);
    if (!part || part.dataset.summary !== summary) {
      const fresh = made();
      Object.assign(fresh.dataset, { part: name, summary });
      part?.replaceWith(fresh);
      part = fresh;
    }
    if (element.children[index] !== part) element.insertBefore(part, element.children[index] ?? null);
  });
  while (element.children.length > parts.length) element.lastElementChild.remove();
}
