import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './root.mjs'

/**
 * The failed tests of a Vitest or Playwright report, a line each: where, which, and the first line of why.
 *
 * @param {any} report
 * @returns {string[]}
 */
export function listFaults(report) {
  return report.suites ? report.suites.flatMap(ofSuite) : report.testResults.flatMap(ofFile)
}

/** @param {any} file */
function ofFile({ name, status, message, assertionResults }) {
  const where = relative(root, name)
  const failed = assertionResults.filter((/** @type {any} */ test) => test.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [line(where, 'the file itself', message)]
  return failed.map((/** @type {any} */ test) => line(where, test.fullName, test.failureMessages[0]))
}

/** @param {any} suite @returns {string[]} */
function ofSuite({ suites = [], specs }) {
  const failed = specs.flatMap((/** @type {any} */ { file, title, tests }) =>
    tests
      .filter((/** @type {any} */ { status }) => status === 'unexpected')
      .map((/** @type {any} */ { projectName, results }) =>
        line(`e2e/${file}`, `[${projectName}] ${title}`, results.at(-1)?.error?.message),
      ),
  )
  return [...failed, ...suites.flatMap(ofSuite)]
}

/**
 * @param {string} where
 * @param {string} title
 * @param {string} [message]
 */
function line(where, title, message = 'no message') {
  const [first = ''] = stripVTControlCharacters(message).trim().split('\n')
  return `${where} › ${title}: ${first.slice(0, 300)}`
}
