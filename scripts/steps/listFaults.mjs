import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './root.mjs'

/** @typedef {{ test: string, reason: string }} Fault a failed test, and the first line of why it failed */

/**
 * The failed tests of a Vitest or Playwright report.
 *
 * @param {any} report
 * @returns {Fault[]}
 */
export function listFaults(report) {
  return report.suites ? report.suites.flatMap(ofSuite) : report.testResults.flatMap(ofFile)
}

/** @param {any} file */
function ofFile({ name, status, message, assertionResults }) {
  const where = relative(root, name)
  const failed = assertionResults.filter((/** @type {any} */ test) => test.status === 'failed')
  if (failed.length === 0 && status === 'failed') return [fault(where, 'the file itself', message)]
  return failed.map((/** @type {any} */ test) => fault(where, test.fullName, test.failureMessages[0]))
}

/**
 * @param {any} suite
 * @returns {Fault[]}
 */
function ofSuite({ suites = [], specs }) {
  const failed = specs.flatMap((/** @type {any} */ { file, title, tests }) =>
    tests
      .filter((/** @type {any} */ { status }) => status === 'unexpected')
      .map((/** @type {any} */ { projectName, results }) =>
        fault(`e2e/${file}`, `[${projectName}] ${title}`, results[0]?.error?.message),
      ),
  )
  return [...failed, ...suites.flatMap(ofSuite)]
}

/**
 * @param {string} where
 * @param {string} title
 * @param {string} [message]
 * @returns {Fault}
 */
function fault(where, title, message = 'no message') {
  const [first = ''] = stripVTControlCharacters(message).trim().split('\n')
  return { test: `${where} › ${title}`, reason: first.slice(0, 300) }
}
