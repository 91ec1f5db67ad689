/**
 * Aims for the server's processor time: at most this multiple of the ceiling's, and this many times less than
 * parse-server's. The database may take 1.3 times as long as for the ceiling's statement.
 *
 * @type {Record<string, { ofCeiling?: number, less?: number, ceilingOf?: { workload: string, times: number } }>}
 */
const aims = {
  health: { ofCeiling: 1.2 },
  sessionCheck: { ofCeiling: 0.6, less: 18 },
  walletSignIn: { ofCeiling: 1.3, less: 6 },
  objectRead: { ofCeiling: 1, less: 8 },
  objectQuery: { ofCeiling: 0.8, less: 6 },
  objectPage: { ofCeiling: 0.8, less: 6 },
  objectInclude: { ofCeiling: 1, less: 6 },
  objectCount: { ofCeiling: 1.2, less: 7 },
  objectCreate: { ofCeiling: 1.4, less: 5 },
  objectUpdate: { ofCeiling: 1.4, less: 5 },
  objectDelete: { ofCeiling: 1.4, less: 5 },
  functionCall: { ofCeiling: 1.4, less: 5 },
  batch: { ofCeiling: 1, less: 8, ceilingOf: { workload: 'objectCreate', times: 4 } },
  liveFanOut: { ofCeiling: 1.1, less: 4 },
}

const mostOfDatabase = 1.3

/**
 * Our figures beside the aims, and beside the build before if that took part.
 *
 * @param {Record<string, Record<string, import('../types.d.ts').Figures>>} results by workload and competitor
 */
export function formatAims(results) {
  const rows = Object.entries(aims).flatMap(([name, { ofCeiling, less, ceilingOf }]) => {
    const { countersign: ours, 'countersign-before': before, 'parse-server': other } = results[name] ?? {}
    if (!ours) return []
    const ceiling = results[ceilingOf?.workload ?? name]?.ceiling
    const limit = ceiling && ceiling.cpuUs * (ceilingOf?.times ?? 1)
    const cells = [
      name,
      Math.round(ours.cpuUs),
      before ? (ours.cpuUs / before.cpuUs).toFixed(2) : '–',
      limit === undefined ? '–' : mark(ours.cpuUs / limit, ofCeiling, '≤'),
      other === undefined ? '–' : mark(other.cpuUs / ours.cpuUs, less, '≥'),
      ceiling === undefined || ceilingOf || ceiling.dbCpuUs < 10
        ? '–'
        : mark(ours.dbCpuUs / ceiling.dbCpuUs, mostOfDatabase, '≤'),
    ]
    return [`| ${cells.join(' | ')} |`]
  })
  const { chainTransfersNew: asked, objectQuery: query } = results
  if (asked?.countersign && query?.countersign) {
    const { countersign: ours, 'countersign-before': before } = asked
    const cells = [
      Math.round(ours.cpuUs),
      before ? (ours.cpuUs / before.cpuUs).toFixed(2) : '–',
      `${mark(ours.cpuUs / query.countersign.cpuUs, 1.3, '≤')} of \`objectQuery\``,
      '–',
      `${mark(ours.dbCpuUs, 500, '≤')} µs`,
    ]
    rows.push(`| chainTransfersNew | ${cells.join(' | ')} |`)
  }
  return [
    '### Aims',
    '',
    'Of a batch, the ceiling is four of its single creates.',
    '',
    '| | server CPU µs | of before | of the ceiling | less than parse-server | database, of the ceiling |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n')
}

/**
 * @param {number} value
 * @param {number | undefined} aim
 * @param {'≤' | '≥'} sign
 */
function mark(value, aim, sign) {
  if (aim === undefined) return value.toFixed(2)
  const isMet = sign === '≤' ? value <= aim : value >= aim
  return `${isMet ? '✓' : '✗'} ${value.toFixed(2)} (${sign} ${aim})`
}
