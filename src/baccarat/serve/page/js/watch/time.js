// Times of records: microseconds UTC, shown in the time of whoever looks.
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });

export const timeOf = (micros) => clock.format(new Date(micros / 1000));
export const dayOf = (micros) => day.format(new Date(micros / 1000));
