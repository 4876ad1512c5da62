// Asks the house for what is shown: a round of a shoe, new entries of the journal, the live edge.
import { at } from "/page/js/dom.js";
import { ask, Problem } from "/page/js/house.js";
import { draw, drawShoe } from "/page/js/watch/drawing.js";
import { Film } from "/page/js/watch/film.js";
import { isLive, now, table } from "/page/js/watch/looked_at.js";

const answer = at("answer"),
  search = at("search");
const requests = {
  /** How often the user went elsewhere: an answer for an earlier place is not shown. */
  asked: 0,
  /** How many ways are under way. */
  going: 0,
  following: false,
  again: false,
  /** Whether new entries came while the user went elsewhere. */
  missed: false,
};

/**
 * @param {number} shoe
 * @param {number} number
 * @param {number} [after]
 */
const round = (shoe, number, after = 0) => ask("GET", `${table}/shoes/${shoe}/replay?round=${number}&after=${after}`);

/**
 * All records of a round, in as many requests as needed.
 * @param {number} shoe
 * @param {number} number
 */
async function filmOf(shoe, number) {
  let told = await round(shoe, number);
  const film = new Film(told);
  while (told.more) {
    told = await round(shoe, number, film.last);
    film.add(told);
  }
  return film;
}

/**
 * A shoe with its rounds; without a number, the one in play. Nothing changes if the user goes elsewhere meanwhile.
 * @param {number} number
 * @param {number} mine
 */
async function loadShoe(number, mine) {
  const card = await ask("GET", table),
    shoe = await ask("GET", `${table}/shoes/${number || card.shoe}`);
  if (mine === requests.asked) Object.assign(now, { shoes: card.shoe, title: card.title, shoe });
}

/**
 * Goes to a round; at its last event, its first, at the record `seq`, or to the live edge. If the user goes elsewhere
 * meanwhile, that counts.
 * @param {number} shoe
 * @param {number} number
 * @param {Page.Going} [how]
 */
export async function goTo(shoe, number, { seq = 0, first = false, live = false } = {}) {
  requests.asked += 1;
  requests.going += 1;
  const mine = requests.asked;
  try {
    if (now.shoe?.shoe !== shoe) await loadShoe(shoe, mine);
    if (mine !== requests.asked) return;
    const film = await filmOf(shoe, number);
    const earlier =
      live && now.film?.round === number - 1 && now.film.shoe === shoe
        ? now.film
        : live
          ? await before(shoe, number)
          : null;
    if (mine !== requests.asked) return;
    now.earlier = earlier;
    now.film = film;
    now.found = null;
    search.value = "";
    const stops = film.stops,
      exact = stops.findIndex((index) => film.lines[index].act.seq >= seq);
    now.stop = live ? null : seq && exact >= 0 ? exact : first ? 0 : Math.max(0, stops.length - 1);
    answer.show();
    draw();
  } catch (problem) {
    if (mine === requests.asked) answer.show(problem);
  } finally {
    requests.going -= 1;
    if (requests.missed && !requests.going) void follow();
  }
}

/**
 * The round before one, which is shown above it at the live edge; null if it cannot be shown.
 * @param {number} shoe
 * @param {number} number
 */
async function before(shoe, number) {
  if (!now.shoe?.rounds.some((each) => each.round === number - 1)) return null;
  return filmOf(shoe, number - 1).catch(() => null);
}

/**
 * Goes to a round of a shoe, by number or the newest; `choose` picks it once the rounds are known.
 * @param {number} number
 * @param {(shoe: House.ReplayedShoe) => [round: number, how?: Page.Going]} choose
 */
export async function goToShoe(number, choose) {
  requests.asked += 1;
  const mine = requests.asked;
  try {
    await loadShoe(number, mine);
    if (mine !== requests.asked || !now.shoe) return;
    const [round_, how] = choose(now.shoe);
    await goTo(now.shoe.shoe, round_, how);
  } catch (problem) {
    if (mine === requests.asked) answer.show(problem);
  }
}

/** Goes to the newest round of the newest shoe, and follows it. */
export const goLive = () => goToShoe(0, (shoe) => [shoe.round, { live: true }]);

/** Reads the new entries of the journal; one request at a time. */
export async function follow() {
  if (requests.following) {
    requests.again = true;
    return;
  }
  requests.following = true;
  try {
    do {
      requests.again = false;
      await catchUp();
    } while (requests.again);
  } catch (problem) {
    if (!(problem instanceof Problem && problem.status === 404)) answer.show(problem);
  } finally {
    requests.following = false;
  }
}

async function catchUp() {
  requests.missed = requests.going > 0; // the user goes elsewhere: new entries are read from there
  if (requests.missed) return;
  const film = now.film;
  if (film === null || film.over || now.shoe?.over) {
    if (isLive()) await goLive();
    else await keepShoe();
    return;
  }
  const told = await round(film.shoe, film.round, film.last);
  requests.missed = requests.going > 0; // it may have begun while the answer was on its way
  if (requests.missed || now.film !== film) return;
  film.add(told);
  requests.again ||= told.more;
  if (film.over && isLive()) await goLive();
  else if (film.over) await keepShoe();
  else draw();
}

/** The rounds of the shoe in play, while an earlier moment is shown. */
async function keepShoe() {
  const before = now.shoe;
  if (!before) return;
  const card = await ask("GET", table),
    shoe = await ask("GET", `${table}/shoes/${before.shoe}`);
  if (now.shoe !== before) return; // the user has gone to another shoe
  Object.assign(now, { shoes: card.shoe, shoe });
  drawShoe();
}
