// The fold of a card that is peeled: pure geometry, in the card's own measures.

export const WIDE = 250,
  HIGH = 350;
/** How near to two edges a grip takes the corner between them. */
const CORNER = 48;
/** @type {Page.Point[]} */
const CORNERS = [
  [0, 0],
  [WIDE, 0],
  [WIDE, HIGH],
  [0, HIGH],
];

/**
 * The part of a polygon on one side of a line through `at` with the normal `normal`.
 * @param {Page.Point[]} points
 * @param {Page.Point} at
 * @param {Page.Point} normal
 * @param {number} side
 * @returns {Page.Point[]}
 */
function cut(points, at, normal, side) {
  /** @param {Page.Point} point */
  const beyond = ([x, y]) => ((x - at[0]) * normal[0] + (y - at[1]) * normal[1]) * side;
  return points.flatMap((point, index) => {
    const next = points[(index + 1) % points.length],
      here = beyond(point),
      there = beyond(next),
      found = here >= 0 ? [point] : [];
    if (here * there < 0) {
      const part = here / (here - there);
      found.push([point[0] + (next[0] - point[0]) * part, point[1] + (next[1] - point[1]) * part]);
    }
    return found;
  });
}

/**
 * The directions into the card from the edges on which a grip lies: one, or two in a corner.
 * @param {Page.Point} point
 * @returns {Page.Point}
 */
const inward = ([x, y]) => [Number(x <= 0) - Number(x >= WIDE), Number(y <= 0) - Number(y >= HIGH)];

/**
 * How far a grip is pulled: only into the card, and from an edge no further sideways than inwards, so that a small
 * pull lifts little.
 * @param {Page.Point} grip
 * @param {Page.Point} tip
 * @returns {Page.Point}
 */
function drawn(grip, tip) {
  const along = [tip[0] - grip[0], tip[1] - grip[1]],
    [ix, iy] = inward(grip);
  if (ix && iy) return [ix * Math.max(0, along[0] * ix), iy * Math.max(0, along[1] * iy)];
  const deep = along[0] * ix + along[1] * iy;
  if (!(deep > 0)) return [0, 0];
  const sideways = Math.max(-deep, Math.min(deep, along[0] * -iy + along[1] * ix));
  return [ix * deep - iy * sideways, iy * deep + ix * sideways];
}

/** @type {Page.Fold} */
const FLAT = {
  far: 0,
  normal: [0, 0],
  middle: [0, 0],
  mirrored: (point) => point,
  lying: CORNERS,
  flap: [],
  matrix: "",
  isLifted: () => false,
};

/**
 * The place on the rim of the card that is nearest to a point: on an edge, or a corner.
 * @param {Page.Point} point
 * @returns {Page.Point}
 */
export function rim([x, y]) {
  /** @type {Page.Point} */
  const sides = [x < WIDE / 2 ? 0 : WIDE, y < HIGH / 2 ? 0 : HIGH];
  const far = [Math.abs(x - sides[0]), Math.abs(y - sides[1])];
  if (Math.max(...far) < CORNER) return sides;
  const along = [Math.min(WIDE - CORNER, Math.max(CORNER, x)), Math.min(HIGH - CORNER, Math.max(CORNER, y))];
  return far[0] < far[1] ? [sides[0], along[1]] : [along[0], sides[1]];
}

/**
 * The fold for a grip that was pulled to a tip, and what it does to the card; without a pull the card lies flat.
 * @param {Page.Point} grip
 * @param {Page.Point} tip
 * @returns {Page.Fold}
 */
export function foldOf(grip, tip) {
  const along = drawn(grip, tip),
    far = Math.hypot(...along);
  if (far === 0) return FLAT;
  /** @type {Page.Point} */
  const normal = [along[0] / far, along[1] / far];
  /** @type {Page.Point} */
  const middle = [grip[0] + along[0] / 2, grip[1] + along[1] / 2];
  const reach = 2 * (middle[0] * normal[0] + middle[1] * normal[1]);
  /** @type {Page.Fold["mirrored"]} */
  const mirrored = ([x, y]) => {
    const beyond = 2 * (x * normal[0] + y * normal[1]) - reach;
    return [x - beyond * normal[0], y - beyond * normal[1]];
  };
  const [a, b, e] = [1 - 2 * normal[0] ** 2, -2 * normal[0] * normal[1], 1 - 2 * normal[1] ** 2];
  return {
    far,
    normal,
    middle,
    mirrored,
    lying: cut(CORNERS, middle, normal, 1),
    flap: cut(CORNERS, middle, normal, -1).map(mirrored),
    matrix: `matrix(${-a} ${-b} ${b} ${e} ${WIDE * a + reach * normal[0]} ${WIDE * b + reach * normal[1]})`,
    isLifted: ([x, y]) => (x - middle[0]) * normal[0] + (y - middle[1]) * normal[1] < -8,
  };
}
