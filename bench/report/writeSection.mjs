import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Puts a section into a Markdown file in the place of the one with the same title, so that the figures of several
 * architectures stand side by side.
 *
 * @param {string} file
 * @param {string} heading of a new file
 * @param {string} title
 * @param {string} text
 */
export function writeSection(file, heading, title, text) {
  const [before = heading, ...sections] = existsSync(file) ? readFileSync(file, 'utf8').trim().split(/^## /m) : []
  const others = sections.filter((section) => !section.startsWith(`${title}\n`))
  const all = [...others, `${title}\n\n${text}`].sort().map((section) => `## ${section.trim()}`)
  writeFileSync(file, `${[before.trim(), ...all].join('\n\n')}\n`)
}
