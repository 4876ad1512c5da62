// Elements made from data: everything inserted is text or an element, never markup.

/** An element; `on…` is a listener, a value that is null or false is left out. */
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

/** Puts children in place of what an element holds, and leaves it alone where a summary of them is unchanged. */
export function fill(element, summary, children) {
  if (element.dataset.summary === summary) return;
  element.dataset.summary = summary;
  element.replaceChildren(...children());
}

/**
 * Keeps parts of an element up to date: each is [name, what it is made from, how it is made]. One that would be made
 * from the same stays as it is, with whatever somebody has typed into it.
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
