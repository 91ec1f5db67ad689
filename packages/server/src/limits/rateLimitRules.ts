import type { RateLimitRule } from '../config/Config.ts'

/** A rule, and the paths that it is for in every spelling. */
export type CompiledRule = { rule: RateLimitRule; pattern: RegExp; beginning: string }

export function compileRule(rule: RateLimitRule): CompiledRule {
  const path = rule.requestPath
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\\\*$/, '.*')
  return { rule, pattern: new RegExp(`^${escaped}/*$`, 'is'), beginning: path.replace(/\*$/, '').toLowerCase() }
}

export const isForMethod = ({ requestMethods }: RateLimitRule, method: string) =>
  requestMethods?.includes(method) ?? true
