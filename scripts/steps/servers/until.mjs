/**
 * @param {() => unknown} condition
 * @param {number} [milliseconds]
 */
export async function until(condition, milliseconds = 120_000) {
  const end = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`It did not happen in time: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
