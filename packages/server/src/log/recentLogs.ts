/** Lines and characters that are kept: together a few megabytes at most, and those only where lines are long. */
const mostLines = 5_000
const mostCharacters = 2_000_000
const longestLine = 10_000

const levels: Record<string, number> = { debug: 20, verbose: 20, info: 30, warn: 40, error: 50 }
const names: Record<number, string> = { 10: 'debug', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'error' }

export type LogLine = { at: Date; level: string; text: string; details: Record<string, unknown> }

export type LogQuery = {
  /** So grave or graver. */
  level: 'debug' | 'verbose' | 'info' | 'warn' | 'error'
  limit: number
  from?: Date | undefined
  until?: Date | undefined
}

/** The last lines that this server logged, with what is secret cut out of them already. */
export type RecentLogs = {
  keep(line: string): void
  /** The newest first. */
  list(query: LogQuery): LogLine[]
}

/** The newest lines of several processes, as JSON carries them. */
export function joinLines(lists: readonly LogLine[][], limit: number): LogLine[] {
  const lines = lists.flat().map((line) => ({ ...line, at: new Date(line.at) }))
  return lines.sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, limit)
}

export function createRecentLogs(): RecentLogs {
  let lines: string[] = []
  let first = 0
  let characters = 0

  return {
    keep(line) {
      const kept = line.length <= longestLine ? line : shorten(line)
      lines.push(kept)
      characters += kept.length
      while (lines.length - first > mostLines || characters > mostCharacters) {
        characters -= lines[first]?.length ?? 0
        lines[first++] = ''
      }
      if (first < mostLines) return
      lines = lines.slice(first)
      first = 0
    },
    list({ level, limit, from, until }) {
      const found: LogLine[] = []
      const least = levels[level] ?? 30
      for (let at = lines.length - 1; at >= first && found.length < limit; at--) {
        const line = readLine(lines[at] ?? '')
        if (!line || line.level < least || (until && line.time > until)) continue
        // Lines come in the order of their time, but for clocks that are set back.
        if (from && line.time < from) continue
        found.push({ at: line.time, level: names[line.level] ?? 'info', text: line.text, details: line.details })
      }
      return found
    },
  }
}

function readLine(json: string) {
  try {
    const { level, time, msg, ...details } = JSON.parse(json) as Record<string, unknown>
    const at = new Date(String(time))
    if (typeof level !== 'number' || Number.isNaN(at.getTime())) return undefined
    return { level, time: at, text: typeof msg === 'string' ? msg : '', details }
  } catch {
    return undefined
  }
}

/** A line that is too long to keep loses its details. */
function shorten(line: string): string {
  try {
    const { level, time, area, msg } = JSON.parse(line) as Record<string, unknown>
    return JSON.stringify({ level, time, area, msg: String(msg ?? '').slice(0, 1_000), isCut: true })
  } catch {
    return ''
  }
}
