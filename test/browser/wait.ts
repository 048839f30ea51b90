// Waiting until something is so. A test says what it waits for and never for how long: the machine may be busy.

/** Only so that a test that fails ends. Figures of speed are measured in `bench/`. */
export const patienceMs = 30_000;

/** Looks again and again, and says what it saw last when it does not come true. What cannot be looked at yet is not so. */
export async function waitUntil<Value>(
  what: string,
  look: () => Value | Promise<Value>,
  isIt: (value: Value) => boolean = Boolean,
): Promise<Value> {
  const end = performance.now() + patienceMs;
  for (;;) {
    let seen: unknown;
    try {
      const value = await look();
      if (isIt(value)) return value;
      seen = value;
    } catch (thrown) {
      // The page is on its way to another one, or the element is not there yet.
      seen = String(thrown);
    }
    if (performance.now() > end) throw new Error(`not so: ${what}: ${JSON.stringify(seen)}`);
    await Bun.sleep(20);
  }
}
