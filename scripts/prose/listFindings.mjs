/**
 * @typedef {import('./listPassages.mjs').Passage} Passage
 * @typedef {import('./readGlossary.mjs').Rule} Rule
 * @typedef {{ rule: string, kind: import('./readGlossary.mjs').Kind, area: string, file: string, line: number,
 *   text: string }} Finding
 */

const pronoun = 'what|who|whom|whose|whether|which|where|those'
/** A comment or a name that starts with a relative clause. It has no noun or verb that says what the thing is. */
const opening = new RegExp(
  `^[\`“"(]*(?:(?:${pronoun}|that which|how(?! (?:to|many|long|often|much|far)\\b)|one (?:who|that|which)|all (?:that|who)` +
    `|everything that|anything that|nothing (?:of|that)|nobody|none)\\b|(?:of|for|in|by|to|from|with|as|on|at) (?:${pronoun})\\b)` +
    // A question is a name that readers search for.
    '(?![^.]*\\?)',
  'i',
)

/** A sentence of a page that starts with one. Headings and questions may. */
const sentenceOpening = /(?:^(?:[-*] |\d+\. )?|[.!:] |\| )(?:\*\*)?(?:What|Who|Whose|Whom|Whether)\b(?![^.|]*\?)/g

/** Requirement numbers, which start the names of tests. */
const label = /^(?:[A-Z]+-?\d+[a-z]?(?:, )?)+: /

/**
 * @param {Passage[]} passages
 * @param {Rule[]} rules
 * @returns {Finding[]}
 */
export function listFindings(passages, rules) {
  return passages.flatMap((passage) => {
    const found = rules
      .filter(({ kinds }) => kinds.includes(passage.kind))
      .flatMap(({ name, pattern }) => [...passage.text.matchAll(pattern)].map(() => name))
    if (passage.kind === 'comments')
      found.push(...listTagTexts(passage.text).flatMap((text) => (opening.test(text) ? ['relative clause'] : [])))
    if (['comments', 'tests'].includes(passage.kind) && opening.test(passage.text.replace(label, '')))
      found.push('relative clause')
    if (passage.kind === 'docs' && !passage.text.startsWith('#'))
      found.push(...[...passage.text.matchAll(sentenceOpening)].map(() => 'relative clause'))
    return found.map((rule) => ({ ...passage, rule, area: areaOf(passage.file) }))
  })
}

/** Texts of JSDoc tags, without the names of parameters. @param {string} text */
const listTagTexts = (text) =>
  [...text.matchAll(/@(?:param|property|returns)\]?\s+([^@]+)/g)].map(([, said = '']) => said)

/** Folder that a budget belongs to: files move within it without a change of the budget. @param {string} file */
const areaOf = (file) => file.match(/^(?:(?:packages|apps)\/[^/]+|docs|e2e|scripts|bench|examples)(?=\/|$)/)?.[0] ?? '.'
