// Every ts and tsx block of the documentation compiles, strictly, against the types that the packages publish. Names that
// a block uses and does not import come from our packages, or from docs/samples.d.ts, which says what the samples assume:
// an application with a few classes. A block that returns is the inside of a function. A comment before a block adds to
// it, or gives the reason to skip it:
//   <!-- sample: declare const file: File -->
//   <!-- sample skipped: of the older client -->
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { listExamples } from '../site/readReference.mjs'
import { root } from '../steps/root.mjs'
import { runQuietly } from '../steps/run/runQuietly.mjs'

const output = join(root, 'node_modules/.cache/countersign/samples')
const react = [
  'index',
  'account',
  'chain',
  'core',
  'sheet',
  'errors',
  'native',
  'push',
  'query',
  'server',
  'suspense',
  'transactions',
  'testing',
  'i18n',
  'devtools',
]
const wallets = ['wagmi', 'rainbowkit', 'walletconnect', 'magic', 'web3auth']
const entries = [
  ...[...react, ...wallets].map((entry) => ({
    file: `packages/react/src/${entry}.ts`,
    from: `@countersign/react${entry === 'index' ? '' : `/${entry}`}`,
  })),
  { file: 'packages/server/src/index.ts', from: 'countersign' },
  { file: 'packages/moralis/src/index.ts', from: '@countersign/moralis' },
  { file: 'packages/moralis/src/ethers.ts', from: '@countersign/moralis/ethers' },
]

/** @typedef {{ name: string, place: string, code: string, prelude: string, skipped: string | undefined, from?: string }} Sample `from`: the entry whose names it uses */

function listPages() {
  const docs = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`)
  return ['README.md', 'examples/README.md', ...docs, ...packages].filter((page) => page.endsWith('.md'))
}

/**
 * @param {string} page
 * @returns {Sample[]}
 */
function listSamples(page) {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = text.matchAll(/((?:^ *<!-- sample[\s\S]*?-->\n+)*)^( *)```(tsx?)\n([\s\S]*?)^ *```$/gm)
  return [...blocks].map(({ 1: comments = '', 2: indent = '', 3: kind, 4: code = '', index }) => {
    const line = text.slice(0, index).split('\n').length
    const notes = [...comments.matchAll(/<!-- sample( skipped)?:\s*([\s\S]*?)\s*-->/g)]
    return {
      name: `${page.replace(/\W+/g, '-')}-${line}.${kind === 'ts' ? 'ts' : 'tsx'}`,
      place: `${page}:${line}`,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      prelude: notes.flatMap(([, skipped, note]) => (skipped ? [] : [note])).join('\n'),
      skipped: notes.find(([, skipped]) => skipped)?.[2],
    }
  })
}

/** Names that a file exports, with those of files that it passes on as a whole. @param {string} file @returns {string[]} */
function listNames(file) {
  const text = readFileSync(file, 'utf8')
  const own = [...text.matchAll(/^export (?:async )?(?:function|const|type|interface|class) (\w+)/gm)]
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','))
  const listed = lists.map(
    (part) =>
      part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)
        .at(-1) ?? '',
  )
  const whole = [...text.matchAll(/^export (?:type )?\* from '(\.[^']+)'/gm)]
  return [
    ...own.map(([, name = '']) => name),
    ...listed.filter((name) => name !== ''),
    ...whole.flatMap(([, path = '']) => listNames(join(dirname(file), path))),
  ]
}

/**
 * Exports of each entry, types included: the first entry with a name provides it.
 *
 * @param {string} [first] the entry that is looked at before the others
 */
function listExports(first) {
  /** @type {Map<string, string>} */
  const places = new Map()
  for (const { file, from } of entries.toSorted((a, b) => Number(b.from === first) - Number(a.from === first)))
    for (const name of listNames(join(root, file))) if (!places.has(name)) places.set(name, from)
  for (const name of ['lazy', 'Suspense', 'useState', 'useEffect', 'useRef', 'ReactNode']) places.set(name, 'react')
  for (const name of ['QueryClient', 'useInfiniteQuery', 'useMutation', 'useQuery', 'useSuspenseQuery'])
    places.set(name, '@tanstack/react-query')
  for (const name of ['formatUnits', 'parseAbi', 'parseEther']) if (!places.has(name)) places.set(name, 'viem')
  for (const name of ['render', 'screen']) places.set(name, '@testing-library/react')
  places.set('expect', 'vitest')
  return places
}

/**
 * @param {Sample} sample
 * @param {Map<string, string>} places
 */
function complete({ code, prelude }, places) {
  const whole = `${prelude}\n${code}`
  const used = new Set(whole.match(/(?<![.\w'"`/@-])[A-Za-z_$][\w$]*/g))
  const own = new Set(
    [
      ...whole.matchAll(/\b(?:const|let|function|class|interface|type)\s+(\w+)/g),
      ...whole.matchAll(/\bimport\s+(?:type\s+)?(?:\*\s+as\s+)?(\w+)/g),
    ].map(([, name]) => name ?? ''),
  )
  for (const [, list = ''] of whole.matchAll(
    /\b(?:import|const|let)\s+(?:type\s+)?(?:\w+,\s*)?\{([^=]*?)\}\s*(?:from|=)/g,
  )) {
    for (const part of list.split(','))
      own.add(
        part
          .replace(/\s*type\s+/, '')
          .split(/\s+as\s+|:|=/)
          .at(-1)
          ?.trim() ?? '',
      )
  }
  const imports = [...places].filter(([name]) => used.has(name) && !own.has(name))
  const lines = imports.map(([name, place]) => `import { ${name} } from '${place}'`)
  const body = /^(if \(.*\) )?return\b/m.test(code)
    ? code.replace(/^(?!import )[\s\S]*/m, (inside) => `async function sample() {\n${inside}}\n`)
    : code
  return `${lines.join('\n')}\n${prelude}\n${body}\nexport {}\n`
}

/** Values of the surrounding application, which examples in comments leave to the reader. */
const assumed =
  'abi address app appId approval base context error fee first fromToken games handle hash id input key makeTokenAddress makeTokenId message name owner passkey paymentTokenAddress preview purchase query queryClient readings receiver second session ticket to toToken token tokenAddress tokenId tokenUri usdc userAddress wagmiConfig wallet contractAddress draw showToast AdminLink Moralis NewCheckout Page RainbowKitAuthenticationProvider RainbowKitProvider Scores'

/** The examples in the comments of what is exported, which the reference shows. @returns {Sample[]} */
function listCommentSamples() {
  return listExamples().map(({ name, from, code }, number) => ({
    name: `comment-${number}-${name}.tsx`,
    place: `@example of ${name} (${from})`,
    // An element after statements is what a component returns.
    code: `${code.replace(/^(?=<[A-Za-z])/gm, ';void ')}\n`,
    prelude: `import type {} from '${from}'\nimport type {} from '@countersign/react'`,
    skipped: undefined,
    from,
  }))
}

const samples = [...listPages().flatMap(listSamples), ...listCommentSamples()]

test('a sample that is skipped has a reason', () => {
  for (const { place, skipped } of samples)
    if (skipped !== undefined) expect([place, skipped.length > 10]).toEqual([place, true])
})

test('the samples of the documentation compile', { timeout: 300_000 }, async () => {
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  const places = listExports()
  const compiled = samples.filter(({ skipped }) => skipped === undefined)
  for (const sample of compiled)
    writeFileSync(join(output, sample.name), complete(sample, sample.from ? listExports(sample.from) : places))
  const globals = assumed.split(' ').map((name) => `  const ${name}: any`)
  writeFileSync(join(output, 'assumed.d.ts'), `export {}\ndeclare global {\n${globals.join('\n')}\n}\n`)
  const to = (/** @type {string} */ path) => relative(output, join(root, path))
  const compilerOptions = {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    rewriteRelativeImportExtensions: false,
    verbatimModuleSyntax: false,
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    jsx: 'react-jsx',
    types: ['node'],
    typeRoots: [to('node_modules/@types')],
    paths: {
      '@countersign/react': [to('packages/react/dist/index.d.ts')],
      '@countersign/react/sheet.css': [to('packages/react/sheet.css.d.ts')],
      '@countersign/react/*': [to('packages/react/dist/*.d.ts')],
      '@countersign/moralis': [to('packages/moralis/dist/index.d.ts')],
      '@countersign/moralis/ethers': [to('packages/moralis/dist/ethers.d.ts')],
      countersign: [to('packages/server/dist/index.d.ts')],
    },
  }
  // A sample's own registration must not collide with docs/samples.d.ts; samples in comments leave more to the reader.
  const kindOf = (/** @type {Sample} */ { code, from }) =>
    `${code.includes('interface Register') ? 'registering ' : ''}${from ? 'comments' : 'pages'}`
  const namesOf = (/** @type {string} */ kind) =>
    compiled.filter((sample) => kindOf(sample) === kind).map(({ name }) => name)
  const modules = to('docs/samples.modules.d.ts')
  const programs = [
    { name: 'tsconfig.json', files: [to('docs/samples.d.ts'), modules, ...namesOf('pages')] },
    { name: 'tsconfig.registering.json', files: namesOf('registering pages') },
    { name: 'tsconfig.registeringComments.json', files: namesOf('registering comments') },
    {
      name: 'tsconfig.comments.json',
      files: ['assumed.d.ts', to('docs/samples.d.ts'), modules, ...namesOf('comments')],
    },
  ]
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  let said = ''
  for (const { name, files } of programs) {
    const config = { extends: to('tsconfig.base.json'), compilerOptions, files }
    writeFileSync(join(output, name), JSON.stringify(config, null, 2))
    said += (await runQuietly(process.execPath, [tsc, '-p', join(output, name), '--pretty', 'false'])).output
  }
  const where = new Map(compiled.map(({ name, place }) => [name, place]))
  const faults = said
    .split('\n')
    .filter((line) => line.includes('error TS'))
    .map((line) => line.replace(/^.*?([^/\\]+\.tsx?)\(/, (_, name) => `${where.get(name) ?? name} (`))
  expect(faults).toEqual([])
})
