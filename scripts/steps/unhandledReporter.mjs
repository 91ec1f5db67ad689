import { writeFileSync } from 'node:fs'

/** Vitest reporter that writes errors outside of any test to a file: they fail a run, and the JSON report omits them. */
// biome-ignore lint/style/noDefaultExport: Vitest loads a reporter by its default export.
export default class UnhandledReporter {
  /**
   * @param {unknown} _modules
   * @param {readonly { name?: string, message?: string, stack?: string, VITEST_TEST_PATH?: string, VITEST_TEST_NAME?: string }[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const rows = errors.map(({ name, message, stack = '', VITEST_TEST_PATH: path, VITEST_TEST_NAME: test }) => ({
      test: [path ?? 'no file', test ?? 'outside of a test'].join(' › '),
      reason: [`${name}: ${message}`, ...stack.split('\n').filter((line) => /^\s+at /.test(line))]
        .slice(0, 6)
        .join('\n'),
    }))
    writeFileSync(String(process.env.COUNTERSIGN_UNHANDLED), JSON.stringify(rows))
  }
}
