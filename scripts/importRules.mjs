// Allowed imports between folders. Biome takes the last matching override for a rule and never merges two, so each
// layer needs one complete list; written by hand those lists drift apart, here they follow from the order of the
// layers. After a change: node scripts/importRules.mjs (a test compares importRules.json with this file).
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const architecture = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8')

/**
 * Names in the first column of a table of docs/architecture.md, in its order.
 *
 * @param {string} title of that column
 */
function readColumn(title) {
  const [, rows = ''] = architecture.split(`| ${title} | content |\n| --- | --- |\n`)
  return [...(rows.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
}

/** Left to right: a layer imports only from the layers to its left. */
export const serverLayers = [...readColumn('layer'), 'testing']

/** Layers that see less than their place in the row would allow. */
const serverNarrowLayers = {
  chain: [
    'config',
    'clock',
    'encoding',
    'log',
    'network',
    'work',
    'db',
    'keys',
    'classes',
    'context',
    'endpoint',
    'hooks',
    'roles',
    'permissions',
    'objects',
  ],
}

export const reactLayers = ['core', 'hooks', 'components', 'root', 'testWallet', 'testClient', 'testing']

/** Rooms of the React core, in the same way: each sees only those before it. */
export const reactCoreRooms = readColumn('folder')

/** Rooms of hooks, with the same names; `client` is the base of all of them. */
export const reactHookRooms = [
  'client',
  'session',
  'wallet',
  'documents',
  'chain',
  'account',
  'push',
  'offline',
  'signInFlow',
]
const reactNarrowLayers = { testWallet: [] }
const reactEntries = ['index.ts', 'core.ts', 'account.ts', 'chain.ts', 'derived.ts']

export const webLayers = ['config', 'i18n', 'ui', 'chain', 'account', 'features', 'app']

// Tests stand outside the row: proving a promise on the real thing takes the whole server.
const tests = '!**/*.test.*'
const everyPackage = ['countersign', 'countersign/**', '@countersign/**']
const intoOtherPackages = [`${upward(['packages', 'apps', 'e2e', 'bench', 'scripts'])}/**`]

/**
 * A relative specifier depends on how deep its file lies; five levels are more than any package has.
 *
 * @param {string[]} names
 */
function upward(names) {
  return `{${[1, 2, 3, 4, 5].map((depth) => Array(depth).fill('..').join('/')).join(',')}}/{${names.join(',')}}`
}

/**
 * @param {string[]} includes
 * @param {{ group: string[], message: string }[]} patterns
 */
function direction(includes, patterns) {
  return {
    includes,
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
  }
}

/**
 * @param {string} name
 * @param {string[]} forbidden
 */
function packageBorder(name, forbidden) {
  return {
    group: [...forbidden, ...intoOtherPackages],
    message: `${name} may not import this package: protocol < react < moralis, web; protocol < server; e2e, bench and scripts import none.`,
  }
}

/**
 * @param {string[]} layers
 * @param {string} layer
 * @param {Record<string, string[]>} narrow
 * @param {string[]} entries files above the layers, which none of them may import
 */
function layerBorder(layers, layer, narrow, entries) {
  const allowed = narrow[layer] ?? layers.slice(0, layers.indexOf(layer))
  const forbidden = layers.filter((other) => other !== layer && !allowed.includes(other))
  return {
    group: [...(forbidden.length > 0 ? [`${upward(forbidden)}/**`] : []), upward(entries)],
    message: `${layer} imports only from ${allowed.length > 0 ? allowed.join(', ') : 'no other layer'}: imports run one way.`,
  }
}

/**
 * The same inside a layer, whose rooms lie side by side.
 *
 * @param {string[]} rooms
 * @param {string} room
 */
function roomBorder(rooms, room) {
  const allowed = rooms.slice(0, rooms.indexOf(room))
  const later = rooms.slice(rooms.indexOf(room) + 1)
  if (later.length === 0) return []
  const group = [`${upward(later)}/**`]
  return [
    { group, message: `${room} imports only from ${allowed.join(', ') || 'no other room'}: imports run one way.` },
  ]
}

/** Every override that keeps a direction, in the form Biome wants. */
export function createDirections() {
  const beyondServer = packageBorder('server', [
    ...everyPackage,
    '!@countersign/protocol',
    '!@countersign/protocol/contract',
  ])
  const beyondReact = packageBorder('react', [...everyPackage, '!@countersign/protocol'])
  const beyondMoralis = packageBorder('moralis', [
    ...everyPackage,
    '!@countersign/protocol',
    ...['', '/adapter', '/adapterChain', '/core'].map((entry) => `!@countersign/react${entry}`),
    `${upward(['protocol', 'react', 'server'])}/**`,
  ])
  const beyondWeb = packageBorder('web', [
    'countersign',
    'countersign/**',
    '@countersign/moralis',
    '@countersign/react/{adapter,adapterChain}',
  ])
  const noReact = {
    group: ['react', 'react/**', 'react-dom', 'react-dom/**', '**/hooks/**', '**/components/**'],
    message: 'core runs without React and never imports it, nor what stands on it.',
  }
  const noOtherFeature = 'A feature never imports another feature; nor the app: what two share belongs to their left.'

  return [
    direction(['packages/protocol/**'], [packageBorder('protocol', everyPackage)]),
    direction(
      ['packages/protocol/**', tests],
      [
        {
          group: ['**', '!./**', '!../**', ...intoOtherPackages],
          message: 'protocol imports nothing: it is loaded by browsers and servers alike.',
        },
      ],
    ),
    direction(
      ['packages/protocol/src/contract/**', tests],
      [
        {
          group: ['**', '!./**', '!../**', '!zod', ...intoOtherPackages],
          message: 'The contract imports the protocol and zod alone.',
        },
      ],
    ),
    // Files loaded by browsers must not import zod.
    direction(
      ['packages/protocol/src/*.ts', tests],
      [
        {
          group: ['**', '!./**', '!../**', './contract/**', ...intoOtherPackages],
          message: 'protocol imports nothing, and not its contract: it is loaded by browsers and servers alike.',
        },
      ],
    ),
    direction(['packages/server/**'], [beyondServer]),
    ...serverLayers.map((layer) =>
      direction(
        [`packages/server/src/${layer}/**`, tests],
        [beyondServer, layerBorder(serverLayers, layer, serverNarrowLayers, ['index.ts'])],
      ),
    ),
    direction(['packages/react/**'], [beyondReact]),
    direction(['packages/react/src/core.ts'], [beyondReact, noReact]),
    ...reactLayers.map((layer) =>
      direction(
        [`packages/react/src/${layer}/**`, tests],
        [
          beyondReact,
          layerBorder(reactLayers, layer, reactNarrowLayers, reactEntries),
          ...(layer === 'core' ? [noReact] : []),
        ],
      ),
    ),
    ...reactCoreRooms.map((room) =>
      direction(
        [`packages/react/src/core/${room}/**`, tests],
        [beyondReact, layerBorder(reactLayers, 'core', {}, reactEntries), noReact, ...roomBorder(reactCoreRooms, room)],
      ),
    ),
    ...reactHookRooms.map((room) =>
      direction(
        [`packages/react/src/hooks/${room}/**`, tests],
        [beyondReact, layerBorder(reactLayers, 'hooks', {}, reactEntries), ...roomBorder(reactHookRooms, room)],
      ),
    ),
    direction(['packages/moralis/**', tests], [beyondMoralis]),
    direction(['apps/web/**'], [beyondWeb]),
    ...webLayers.map((layer) =>
      direction([`apps/web/src/${layer}/**`, tests], [beyondWeb, layerBorder(webLayers, layer, {}, ['main.tsx'])]),
    ),
    // A file of a feature leads out of it by two steps up, one in a folder of the feature by three.
    ...[
      ['apps/web/src/features/*/*', '..'],
      ['apps/web/src/features/*/*/**', '../..'],
    ].map(([files = '', out]) => {
      const shared = webLayers.slice(0, webLayers.indexOf('features')).map((layer) => `!${out}/../${layer}/**`)
      return direction([files, tests], [beyondWeb, { group: [`${out}/**`, ...shared], message: noOtherFeature }])
    }),
    direction(
      ['e2e/**', '!e2e/apps/**', 'bench/**', '!bench/lists/pages/**', 'scripts/**'],
      [
        {
          group: [...everyPackage, '!@countersign/react/testing', `${upward(['packages', 'apps'])}/**`],
          message: 'e2e, bench and scripts start processes; they import no package but the test wallet.',
        },
      ],
    ),
    direction(
      ['e2e/apps/**', 'bench/lists/pages/**'],
      [
        {
          group: [`${upward(['packages', 'apps'])}/**`],
          message: 'The pages in e2e/apps import what the packages publish, as any application does.',
        },
      ],
    ),
  ]
}

/** The text of importRules.json, which biome.json extends: one override a line. */
export function renderImportRules() {
  const lines = createDirections().map((override) => `    ${JSON.stringify(override)}`)
  return `{\n  "overrides": [\n${lines.join(',\n')}\n  ]\n}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('importRules.json', import.meta.url), renderImportRules())
}
