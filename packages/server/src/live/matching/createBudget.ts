import { patternWork } from '../../queries/patternWork.ts'
import type { LiveClient } from '../LiveClient.ts'
import type { Happening } from './Happening.ts'
import type { Question } from './Matching.ts'

/** Letters times states that patterns may take for one change: about a fifth of a second for a socket, one for all. */
const mostOfSocket = 2_000_000
const mostOfChange = 10_000_000

/** Whether a question may still be decided for a change, by what it and those before it cost. */
export type Budget = (question: Question, happening: Happening) => boolean

/**
 * P13: whoever follows a class may ask hundreds of patterns of every change, on the thread that all share. A question
 * is paid by the first of those who ask it that has enough left, so nobody pays for what another does.
 */
export function createBudget(): Budget {
  const spent = new Map<LiveClient, number>()
  let total = 0
  return (question, { before, after }) => {
    const { condition, groups } = question
    const work = patternWork(condition, before) + patternWork(condition, after)
    if (work === 0) return true
    if (total + work > mostOfChange) return false
    for (const { members } of groups.values()) {
      for (const { client } of members) {
        const paid = (spent.get(client) ?? 0) + work
        if (paid > mostOfSocket) continue
        spent.set(client, paid)
        total += work
        return true
      }
    }
    return false
  }
}
