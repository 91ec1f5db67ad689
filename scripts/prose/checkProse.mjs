import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gradePages } from './gradePages.mjs'
import { listFindings } from './listFindings.mjs'
import { listPages, listPassages } from './listPassages.mjs'
import { readGlossary } from './readGlossary.mjs'

/**
 * @typedef {Omit<import('./gradePages.mjs').Grade, 'words'>} Limits
 * @typedef {{
 *   limits: Limits,
 *   pages: Record<string, Partial<Limits>>,
 *   counts: Record<string, Record<string, number>>,
 *   exceptions: { rule: string, text: string, reason: string }[],
 * }} Budget `limits` hold for every page that `pages` does not name; `counts` are by rule, then by kind and folder
 * @typedef {Record<string, Record<string, import('./listFindings.mjs').Finding[]>>} Findings by rule, then by kind and
 *   folder
 * @typedef {{ findings: Findings, grades: Map<string, import('./gradePages.mjs').Grade> }} Prose
 */

export const budgetFile = join(import.meta.dirname, 'budget.json')

/** @returns {Budget} */
export const readBudget = () => JSON.parse(readFileSync(budgetFile, 'utf8'))

/** Finds every use of a forbidden word and grades every page. */
export async function readProse() {
  const { exceptions } = readBudget()
  const isExcepted = (/** @type {import('./listFindings.mjs').Finding} */ { rule, text }) =>
    exceptions.some((exception) => exception.rule === rule && text.includes(exception.text))
  /** @type {Findings} */
  const findings = {}
  const passages = listPassages()
  for (const finding of listFindings(passages, readGlossary())) {
    if (isExcepted(finding)) continue
    findings[finding.rule] ??= {}
    const place = `${finding.kind} ${finding.area}`
    const ofRule = findings[finding.rule] ?? {}
    ofRule[place] = [...(ofRule[place] ?? []), finding]
  }
  /** @type {Record<string, number>} */
  const sizes = {}
  for (const { kind } of passages) sizes[kind] = (sizes[kind] ?? 0) + 1
  return { findings, sizes, grades: await gradePages(listPages()) }
}

/**
 * Compares the prose with its budget.
 *
 * @param {Prose} prose
 * @param {Budget} budget
 * @returns {string[]} faults, each a sentence with the places where it may be
 */
export function compareProse({ findings, grades }, { limits, pages, counts }) {
  const faults = []
  for (const [rule, places] of Object.entries(findings))
    for (const [place, found] of Object.entries(places)) {
      const allowed = counts[rule]?.[place] ?? 0
      if (found.length > allowed)
        faults.push(`"${rule}" in ${place}: ${found.length}, allowed ${allowed}\n${listPlaces(found)}`)
    }
  for (const [file, grade] of grades) {
    if (grade.words < 100) continue
    const { readability, passive, complex } = { ...limits, ...pages[file] }
    if (grade.readability < readability)
      faults.push(
        `${file}: ${grade.readability} % of the sentences are easy to read, at least ${readability} % must be`,
      )
    if (grade.passive > passive)
      faults.push(`${file}: ${grade.passive} passive forms in 1,000 words, allowed ${passive}`)
    if (grade.complex > complex)
      faults.push(`${file}: ${grade.complex} complex words in 1,000 words, allowed ${complex}`)
  }
  return faults
}

/** @param {import('./listFindings.mjs').Finding[]} found */
function listPlaces(found) {
  const lines = found.map(({ file, line, text }) => `    ${file}:${line} ${text.trim().slice(0, 100)}`)
  return lines.length > 30
    ? [...lines.slice(0, 30), `    … and ${lines.length - 30} more`].join('\n')
    : lines.join('\n')
}

/**
 * The budget after words were removed: counts and grades only improve, so that none comes back.
 *
 * @param {Prose} prose
 * @param {Budget} budget
 * @returns {Budget}
 */
export function lowerBudget({ findings, grades }, budget) {
  const counts = Object.entries(budget.counts).map(([rule, places]) => {
    const lowered = Object.entries(places).map(
      ([place, count]) => /** @type {const} */ ([place, Math.min(count, findings[rule]?.[place]?.length ?? 0)]),
    )
    return /** @type {const} */ ([rule, Object.fromEntries(lowered.filter(([, count]) => count > 0))])
  })
  const pages = Object.entries(budget.pages).flatMap(([file, own]) => {
    const grade = grades.get(file)
    if (!grade) return []
    const kept = /** @type {(keyof Limits)[]} */ (Object.keys(own)).flatMap((key) => {
      const best = key === 'readability' ? Math.max : Math.min
      const value = best(own[key] ?? budget.limits[key], grade[key])
      return best(value, budget.limits[key]) === value ? [] : [[key, value]]
    })
    return kept.length === 0 ? [] : [[file, Object.fromEntries(kept)]]
  })
  return {
    ...budget,
    pages: Object.fromEntries(pages),
    counts: Object.fromEntries(counts.filter(([, places]) => Object.keys(places).length > 0)),
  }
}
