import assert from 'node:assert/strict'

/**
 * Waits up to a minute for something that a command beside this one does.
 *
 * @param {() => boolean} isThere
 * @param {() => string} said output of the command
 */
export async function waitFor(isThere, said) {
  const deadline = Date.now() + 60_000
  while (!isThere()) {
    assert.ok(Date.now() < deadline, `Nothing happened for a minute:\n${said()}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
