import { type ClassRight, refuse, type ScopePart, scopeLimits, scopeParts, type TokenKind } from '@countersign/protocol'
import type { EndpointContract } from '@countersign/protocol/contract'
import { isClassName, isSystemClass } from '../classes/names.ts'

/**
 * Narrows what a caller may do: classes with their rights, functions by name, and fixed parts. Everything else is
 * refused. A scope never grants: the rights of its owner are judged in addition.
 */
export type Scope = {
  /** Texts of the scope, sorted: equal scopes have equal texts. */
  texts: readonly string[]
  /** The same as one text, for caches and groups. */
  key: string
  /** Rights by class. `*` has every class of the application, and none of the system. */
  classes: ReadonlyMap<string, ReadonlySet<ClassRight>>
  /** Names of functions; `*` has all. */
  functions: ReadonlySet<string>
  parts: ReadonlySet<ScopePart>
}

const rightsByWord: ReadonlyMap<string, readonly ClassRight[]> = new Map([
  ['read', ['read']],
  ['write', ['create', 'update', 'delete']],
  ['create', ['create']],
  ['update', ['update']],
  ['delete', ['delete']],
])

/** System classes that a scope may name, for reading only: writes of the others would open accounts or give rights. */
const readableSystemClasses: Record<'person' | 'operator', readonly string[]> = {
  person: ['_User', '_Role'],
  operator: ['_User', '_Role', '_Installation', '_JobStatus', '_PushStatus'],
}

/** System classes that come with a part. */
const classesOfParts: ReadonlyMap<string, string> = new Map([
  ['users:read', '_User'],
  ['roles:read', '_Role'],
])

const parts: ReadonlyMap<string, { holders: readonly TokenKind[] }> = new Map(Object.entries(scopeParts))

const functionName = /^[A-Za-z_][\w.-]*$/

/**
 * Parses a scope strictly: one unknown text refuses the whole. Names of classes are compared exactly, as everywhere;
 * one that does not exist yet is allowed, and counts from its creation on. A class whose name begins with a lower-case
 * letter is written `class:score:read`, so that no later part can take its text.
 */
export function parseScope(given: readonly string[], kind: TokenKind): Scope {
  if (given.length === 0) throw invalid('', 'Name at least one')
  if (given.length > scopeLimits.scopes) throw invalid('', `At most ${scopeLimits.scopes} are allowed`)
  const texts = [...new Set(given)].sort()
  const classes = new Map<string, Set<ClassRight>>()
  const functions = new Set<string>()
  const held = new Set<ScopePart>()
  const add = (className: string, rights: readonly ClassRight[]) => {
    const before = classes.get(className) ?? new Set()
    for (const right of rights) before.add(right)
    classes.set(className, before)
  }
  for (const text of texts) {
    if (text.length > scopeLimits.scope) throw invalid(text, 'It is too long')
    const part = parts.get(text)
    if (part) {
      if (!part.holders.includes(kind)) throw invalid(text, 'This kind of token cannot have it')
      held.add(text as ScopePart)
      const className = classesOfParts.get(text)
      if (className !== undefined) add(className, ['read'])
      continue
    }
    if (text.startsWith('function:')) {
      const name = text.slice('function:'.length)
      if (name !== '*' && !functionName.test(name)) throw invalid(text, 'No function has this name')
      functions.add(name)
      continue
    }
    const { className, rights } = readClass(text, kind)
    add(className, rights)
  }
  return { texts, key: texts.join(' '), classes, functions, parts: held }
}

function readClass(text: string, kind: TokenKind): { className: string; rights: readonly ClassRight[] } {
  const isMarked = text.startsWith('class:')
  const [className = '', word = '', ...more] = (isMarked ? text.slice('class:'.length) : text).split(':')
  const rights = rightsByWord.get(word)
  if (!rights || more.length > 0) throw invalid(text, 'Write Score:read, Score:write or a listed scope')
  if (className === '*') return { className, rights }
  if (!isClassName(className)) throw invalid(text, 'No class has this name')
  if (!isMarked && /^[a-z]/.test(className)) throw invalid(text, `Write class:${className}:${word} for this class`)
  if (isSystemClass(className)) {
    const readable = readableSystemClasses[kind === 'operator' ? 'operator' : 'person']
    if (word !== 'read' || !readable.includes(className)) throw invalid(text, 'Tokens have no such right')
  }
  return { className, rights }
}

const invalid = (text: string, problem: string) =>
  refuse('invalidScope', { scope: text.slice(0, scopeLimits.scope), problem })

/** Returns true if the scope has the right on the class. `*` never includes classes of the system. */
export function allowsClass({ classes }: Scope, className: string, right: ClassRight): boolean {
  if (classes.get(className)?.has(right)) return true
  return !className.startsWith('_') && isClassName(className) && classes.get('*')?.has(right) === true
}

export function allowsFunction({ functions }: Scope, name: string): boolean {
  return functions.has(name) || functions.has('*')
}

/**
 * Need of an endpoint, from its contract: `any` token, the `class` or `function` that the path names, or one scope.
 * Tokens are refused where an endpoint names none.
 */
export type ScopeNeed = EndpointContract['scope']

const rightOfMethod: ReadonlyMap<string, ClassRight> = new Map([
  ['GET', 'read'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['DELETE', 'delete'],
])

/** The scope that a request needs, as a text to show; `undefined` where no scope is enough. */
export function neededScope(
  { method, scope }: { method: string; scope?: ScopeNeed },
  params: Record<string, string>,
): string | undefined {
  if (scope === 'class') return `${params.className ?? ''}:${rightOfMethod.get(method)}`
  if (scope === 'function') return `function:${params._function ?? ''}`
  return scope
}

/** Returns true if the scope has what the endpoint needs. Deny by default. */
export function allowsEndpoint(
  scope: Scope,
  endpoint: { method: string; scope?: ScopeNeed },
  params: Record<string, string>,
): boolean {
  const need = endpoint.scope
  if (need === undefined) return false
  if (need === 'any') return true
  if (need === 'class')
    return allowsClass(scope, params.className ?? '', rightOfMethod.get(endpoint.method) ?? 'delete')
  if (need === 'function') return allowsFunction(scope, params._function ?? '')
  if (need.startsWith('function:')) return allowsFunction(scope, need.slice('function:'.length))
  if (parts.has(need)) return scope.parts.has(need as ScopePart)
  const [className = '', right] = need.split(':')
  return allowsClass(scope, className, right as ClassRight)
}
