// Sends what people write, one message at a time, and in the order in which they sent it.

/**
 * Makes of `say`, which sends the words in `entry` and says whether they arrived, one that may be called at any time. It
 * does nothing while there are no words, or while `button` says that it is not one's turn.
 *
 * The next question may be on the page before the last answer is acknowledged. Whoever answers it then is not ignored:
 * the words go as soon as the way is free, unless they were changed meanwhile. The same words sent twice, as by a double
 * click, are one message.
 */
export function inTurn({ entry, button, say }) {
  let underWay = null;
  let next = null;
  const mayGo = () => !button.disabled && entry.value.trim() !== "";
  return async function () {
    if (!mayGo()) return;
    if (underWay !== null) {
      next = entry.value === underWay ? null : entry.value;
      return;
    }
    try {
      do {
        underWay = entry.value;
        next = null;
      } while ((await say()) && next === entry.value && mayGo());
    } finally {
      underWay = null;
    }
  };
}
