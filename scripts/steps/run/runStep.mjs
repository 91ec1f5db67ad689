/**
 * Prints a step and its duration.
 *
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function runStep(title, work) {
  const start = performance.now()
  // On a terminal the line is completed in place; in a log each step gets one line, after the fact.
  if (process.stdout.isTTY) process.stdout.write(`  ${title} …`)
  const finish = (/** @type {string} */ mark) => {
    const line = `${mark} ${title} (${((performance.now() - start) / 1000).toFixed(1)} s)\n`
    process.stdout.write(process.stdout.isTTY ? `\r\u001b[K${line}` : line)
  }
  try {
    const result = await work()
    finish('✓')
    return result
  } catch (error) {
    finish('✗')
    throw error
  }
}
