/** @param {string} text */
export function escapeText(text) {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

const words =
  'abstract as async await boolean break case catch class const continue declare default delete do else export extends false finally for from function if implements import in infer instanceof interface is keyof let never new null number object of private public readonly return satisfies static string super switch this throw true try type typeof undefined unknown unique var void while yield'
const script = new RegExp(
  [
    String.raw`(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)`,
    String.raw`(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|${'`'}(?:\\.|[^${'`'}\\])*${'`'})`,
    String.raw`(?<number>\b\d[\d_.]*n?\b)`,
    String.raw`(?<tag><\/?[A-Za-z][\w.]*(?=[\s>/]))`,
    String.raw`(?<![.\w$-])(?<word>${words.replaceAll(' ', '|')})(?![\w$-])`,
    String.raw`(?<name>\b[a-zA-Z_$][\w$]*(?=\())`,
  ].join('|'),
  'g',
)
const shell =
  /(?<comment>(?<=^|\s)#.*)|(?<string>'[^']*'|"(?:\\.|[^"\\])*")|(?<number>(?<=\s)--?[a-zA-Z][\w-]*)|(?<word>(?<=^|&& |\| )(?:npm|npx|curl|git|cd|node|export|docker|psql)\b)|(?<name>\$\w+)/gm

/** @type {Record<string, RegExp>} */
const languages = {
  ts: script,
  tsx: script,
  js: script,
  jsx: script,
  json: script,
  declaration: script,
  sh: shell,
  bash: shell,
}

/**
 * Marks comments, texts, numbers and keywords of code. A few expressions are enough for short formatted samples;
 * anything missed has no color.
 *
 * @param {string} code
 * @param {string} language
 */
export function highlight(code, language) {
  if (language === 'diff') {
    const kinds = /** @type {Record<string, string>} */ ({ '+': 'added', '-': 'removed' })
    return code
      .split('\n')
      .map((line) =>
        kinds[line[0] ?? ''] ? `<span class="${kinds[line[0] ?? '']}">${escapeText(line)}</span>` : escapeText(line),
      )
      .join('\n')
  }
  const expression = languages[language]
  if (!expression) return escapeText(code)
  let html = ''
  let end = 0
  for (const match of code.matchAll(expression)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0]
    html += `${escapeText(code.slice(end, match.index))}<span class="${kind}">${escapeText(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeText(code.slice(end))
}
