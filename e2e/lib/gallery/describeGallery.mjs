import { looks } from './looks.mjs'

/** Parts of the gallery; the first match counts. */
const parts = [
  { title: 'Signing in with a wallet', fits: /^sheet-/ },
  { title: 'Console', fits: /^console/ },
  { title: 'Portfolio', fits: /^portfolio/ },
  { title: 'Explorer', fits: /^explorer/ },
  { title: 'Account', fits: /^(home$|home-menu|profile|wallets|sessions|security|activity|welcome|newcomer|palette$)/ },
  { title: 'Before signing in', fits: /./ },
]
const order = ['Before signing in', 'Signing in with a wallet', 'Account', 'Portfolio', 'Explorer', 'Console']

/**
 * The page that shows all pictures, a screen a row.
 *
 * @param {string[]} files
 */
export function describeGallery(files) {
  const names = [...new Set(files.map((file) => file.split('.')[0] ?? ''))]
  const partOf = (/** @type {string} */ name) => parts.find(({ fits }) => fits.test(name))?.title
  const sections = order.flatMap((title) => {
    const mine = names.filter((name) => partOf(name) === title)
    return mine.length > 0 ? [`## ${title}\n\n${describeTable(mine, files)}\n`] : []
  })
  return `# Screens

See every screen of the web application. Select a picture to enlarge it. Portfolio, explorer, wallets and sessions show [the demo](../demo.md). \`npm run screens\` takes the pictures and writes this page.

${sections.join('\n')}`
}

/**
 * @param {string[]} names
 * @param {string[]} files
 */
function describeTable(names, files) {
  const shown = looks.filter(({ name }) => names.some((each) => files.includes(`${each}.${name}.webp`)))
  const rows = names.map((name) => {
    const cells = shown.map((look) => {
      const file = `${name}.${look.name}.webp`
      if (!files.includes(file)) return ''
      return `[<img src="${file}" alt="${name}, ${look.title}" width="${look.isMobile ? 140 : 320}">](${file})`
    })
    return `| ${name.replace(/^sheet-/, '').replaceAll('-', ' ')} | ${cells.join(' | ')} |`
  })
  return [
    `| screen | ${shown.map(({ title }) => title).join(' | ')} |`,
    `| --- |${' --- |'.repeat(shown.length)}`,
    ...rows,
  ].join('\n')
}
