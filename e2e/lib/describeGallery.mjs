import { looks } from './looks.mjs'

/**
 * The page that shows all pictures, a screen a row.
 *
 * @param {string[]} files
 */
export function describeGallery(files) {
  const names = [...new Set(files.map((file) => file.split('.')[0] ?? ''))]
  const shown = looks.filter(({ name }) => files.some((file) => file.endsWith(`.${name}.webp`)))
  const rows = (/** @type {string[]} */ of) =>
    of.map((name) => {
      const cells = shown.map((look) => {
        const file = `${name}.${look.name}.webp`
        return files.includes(file)
          ? `[<img src="${file}" alt="${name}, ${look.title}" width="${look.isMobile ? 140 : 320}">](${file})`
          : ''
      })
      return `| ${name.replace(/^sheet-/, '').replaceAll('-', ' ')} | ${cells.join(' | ')} |`
    })
  const table = (/** @type {string[]} */ of) =>
    [
      `| screen | ${shown.map(({ title }) => title).join(' | ')} |`,
      `| --- |${' --- |'.repeat(shown.length)}`,
      ...rows(of),
    ].join('\n')
  const screens = names.filter((name) => !name.startsWith('sheet-'))
  const sheets = names.filter((name) => name.startsWith('sheet-'))
  return `# Screens

Every screen of the web application as it is, photographed by \`npm run screens\`. Do not edit this page: it is written by the same command.

## Pages

${table(screens)}
${sheets.length > 0 ? `\n## Signing in with a wallet\n\n${table(sheets)}\n` : ''}`
}
