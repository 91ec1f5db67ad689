import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../steps/root.mjs'
import { runQuietly } from '../steps/run/runQuietly.mjs'
import { runBeside } from './runBeside.mjs'

/**
 * The samples of a page, without the indent that a list gives them, each with the heading that it stands under.
 *
 * @param {string} page
 * @returns {{ heading: string, language: string, code: string }[]}
 */
function listSamples(page) {
  const text = readFileSync(join(root, page), 'utf8')
  const headings = [
    ...text.replace(/^ *```[\s\S]*?^ *```$/gm, (code) => code.replace(/^#/gm, ' ')).matchAll(/^#+ (.+)$/gm),
  ]
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)].map((found) => ({
    heading: headings.findLast(({ index }) => index < found.index)?.[1] ?? '',
    language: found[2] ?? '',
    code: (found[3] ?? '').replaceAll(new RegExp(`^${found[1]}`, 'gm'), ''),
  }))
}

/**
 * The first sample of a page that has these words.
 *
 * @param {string} page
 * @param {string} words
 */
export function findSample(page, words) {
  const found = listSamples(page).find(({ code }) => code.includes(words))
  assert.ok(found, `${page} has no sample with ${words}`)
  return found.code
}

/**
 * @typedef {object} Page a page that somebody follows. Its samples are the only source: all commands and files are
    there. It prints the headings as it gets to them.
 * @property {string} file
 * @property {() => string} heading of the last sample
 * @property {(from: string, to: string) => void} replace a value of the page by one of this run: a
    free port, the address of a database
 * @property {(words: string) => string} take the first sample with these words that nobody took before
 * @property {(name: string, folder: string) => string} write the sample that begins with this file name, into that file
 * @property {(words: string, place: Place) => Promise<string>} run the sample with these words
 * @property {(words: string, place: Place, address: string, work: () => Promise<void>) => Promise<string>} runBeside the
    same with a command that goes on, until the work is done, which begins when the address responds
 * @property {(pattern: RegExp) => string} read the first group of a match in the text
 * @property {(reasons?: Record<string, string>) => void} end fails where a sample was not taken, unless a reason is given
    for those words
 */

/** @typedef {{ folder: string, env: NodeJS.ProcessEnv }} Place */

/**
 * @param {string} file
 * @param {(text: string) => void} say
 * @returns {Page}
 */
export function openPage(file, say) {
  const text = readFileSync(join(root, file), 'utf8')
  const left = listSamples(file)
  const start = performance.now()
  let heading = ''
  /** @type {[string, string][]} */
  const replaced = []

  /** @param {(code: string) => boolean} matches @param {string} words */
  function take(matches, words) {
    const place = left.findIndex(({ code }) => matches(code))
    assert.ok(place >= 0, `${file} has no sample with ${words}, or it was followed already`)
    const [found] = left.splice(place, 1)
    assert.ok(found)
    if (found.heading !== heading) say(`${found.heading} (${((performance.now() - start) / 1000).toFixed(0)} s)`)
    heading = found.heading
    return replaced.reduce((code, [from, to]) => code.replaceAll(from, to), found.code)
  }

  /** @type {Page} */
  const page = {
    file,
    heading: () => heading,
    replace(from, to) {
      assert.ok(text.includes(from), `${file} does not say ${from}`)
      replaced.push([from, to])
    },
    take: (words) => take((code) => code.includes(words), words),
    write(name, folder) {
      const code = take((each) => each.startsWith(`// ${name}\n`), `the file name ${name}`)
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), code)
      return code
    },
    run: (words, place) => shell(page.take(words), place),
    runBeside: (words, { folder, env }, address, work) =>
      runBeside(['bash', '-c', page.take(words)], { cwd: folder, env }, address, work),
    read(pattern) {
      const found = text.match(pattern)
      assert.ok(found?.[1], `${file} does not say ${pattern}`)
      return found[1]
    },
    end(reasons = {}) {
      const missed = left.filter(({ code }) => !Object.keys(reasons).some((words) => code.includes(words)))
      assert.deepEqual(missed, [], `${file} has samples that were not followed`)
      for (const words of Object.keys(reasons))
        assert.ok(
          left.some(({ code }) => code.includes(words)),
          `${file} has no sample with ${words}`,
        )
    },
  }
  return page
}

/**
 * Runs lines as a person would type them.
 *
 * @param {string} script
 * @param {{ folder: string, env: NodeJS.ProcessEnv }} place
 */
export async function shell(script, { folder, env }) {
  const { code, output } = await runQuietly('bash', ['-c', `set -e\n${script}`], { cwd: folder, env })
  assert.equal(code, 0, `${script}\n${output}`)
  return output
}

/**
 * Environment in which `npm` and `npx` use our registry and this Node.js. npx keeps what it fetched before under the
 * same name and version, so everything but the downloads is separate.
 *
 * @param {Pick<import('../packagesInstall.mjs').Stranger, 'env' | 'node'>} stranger
 * @param {string} folder
 * @param {string} node
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function createEnvironment({ env, node: chosen }, folder, node = chosen) {
  const { output } = await runQuietly('npm', ['config', 'get', 'cache'], { cwd: folder, env })
  const downloads = join(output.split('\n').at(-1) ?? '', '_cacache')
  const cache = join(folder, 'npm-cache')
  mkdirSync(cache)
  if (existsSync(downloads)) symlinkSync(downloads, join(cache, '_cacache'))
  return { ...env, PATH: `${dirname(node)}:${env.PATH}`, npm_config_cache: cache, NODE_OPTIONS: '' }
}
