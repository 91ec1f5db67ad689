import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../steps/root.mjs'

/** @param {string} comment */
export function readExamples(comment) {
  return comment
    .split(/^@example\n?/m)
    .slice(1)
    .map(
      (example) =>
        example
          .split(/^@\w+/m)[0]
          ?.replace(/^```.*$/gm, '')
          .trim() ?? '',
    )
}

/** Exports passed on from packages of others. @type {Record<string, { comment: string, declaration: string }>} */
const foreign = {
  z: {
    comment: [
      'Zod 4, which describes input and output of functions. It is passed on so that both sides have one version.',
      '@example',
      'const input = z.object({ text: z.string().max(280), stars: z.number().int().min(1).max(5) })',
    ].join('\n'),
    declaration: "export { z } from 'zod'",
  },
}

/** @typedef {{ name: string, isType: boolean, comment: string, declaration: string }} Export */

/**
 * @param {string} file a declaration file whose exports are listed
 * @returns {Export[]}
 */
export function listExports(file) {
  const source = readFileSync(file, 'utf8')
  /** @type {Map<string, Export>} */
  const found = new Map()
  for (const [, type, list = '', from = ''] of source.matchAll(/^export (type )?\{([^}]*)\}(?: from '([^']+)')?;/gm)) {
    for (const item of list.split(',').map((each) => each.trim())) {
      if (item === '') continue
      const [, only, inner = '', outer = inner] = item.match(/^(type )?(\w+)(?: as (\w+))?$/) ?? []
      const target = findFile(file, from)
      const described = foreign[outer] ?? (target ? findDeclaration(target, inner) : undefined)
      const declaration = described?.declaration ?? `export { ${inner} } from '${from}'`
      const isType = Boolean(type ?? only) || /^export (declare )?(type|interface)/.test(declaration)
      found.set(outer, { name: outer, isType, comment: described?.comment ?? '', declaration })
    }
  }
  for (const [, from = ''] of source.matchAll(/^export (?:type )?\* from '([^']+)';/gm)) {
    const target = findFile(file, from)
    for (const each of target ? listExports(target) : []) found.set(each.name, each)
  }
  for (const [, , name = ''] of source.matchAll(
    /^export (declare )?(?:abstract )?(?:function|const|class|type|interface) (\w+)/gm,
  )) {
    const described = findDeclaration(file, name)
    if (described && !found.has(name)) {
      found.set(name, { name, isType: /^export (declare )?(type|interface)/.test(described.declaration), ...described })
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/**
 * @param {string} file
 * @param {string} from
 */
function findFile(file, from) {
  const [, folder = '', entry = 'index'] = from.match(/^@countersign\/(\w+)(?:\/(.+))?$/) ?? []
  if (folder === '' && !from.startsWith('.')) return undefined
  const place = folder ? join(root, 'packages', folder, 'dist', entry) : join(dirname(file), from)
  const stem = place.replace(/\.[jt]sx?$/, '')
  return [`${stem}.d.ts`, `${stem}/index.d.ts`].find((path) => existsSync(path))
}

/**
 * @param {string} file
 * @param {string} name
 * @returns {{ comment: string, declaration: string } | undefined}
 */
function findDeclaration(file, name) {
  const source = readFileSync(file, 'utf8')
  const start = source.search(
    new RegExp(`^export (declare )?(abstract )?(function|const|class|type|interface) ${name}\\b`, 'm'),
  )
  if (start < 0) {
    const members = source.match(new RegExp(`^import \\* as ${name} from '(\\.[^']+)';`, 'm'))?.[1]
    const inside = members ? findFile(file, members) : undefined
    if (inside) return describeNamespace(name, listExports(inside))
    const again = source.match(new RegExp(`^export (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)';`, 'm'))
    const next = again?.[1] ? findFile(file, again[1]) : undefined
    if (next) return findDeclaration(next, name)
    for (const [, from = ''] of source.matchAll(/^export (?:type )?\* from '([^']+)';/gm)) {
      const target = findFile(file, from)
      const found = target ? findDeclaration(target, name) : undefined
      if (found) return found
    }
    return undefined
  }
  const before = source.slice(0, start).match(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/)?.[1] ?? ''
  const comment = before.replace(/^[ \t]*\* ?/gm, '').trim()
  return { comment, declaration: readStatement(source.slice(start)) }
}

/**
 * @param {string} name
 * @param {Export[]} members
 */
function describeNamespace(name, members) {
  const lines = members.map((member) => {
    const text = (member.comment.split(/^@/m)[0] ?? '').replace(/\s+/g, ' ').trim()
    return `- \`${name}.${member.name}\`: ${text}`
  })
  const examples = members.flatMap(({ comment }) => readExamples(comment)).map((code) => `@example\n${code}`)
  const declarations = members.map(({ declaration }) =>
    declaration.replace(/^export (declare )?/, '').replace(/^/gm, '  '),
  )
  return {
    comment: [lines.join('\n'), ...examples].join('\n\n'),
    declaration: `export declare namespace ${name} {\n${declarations.join('\n')}\n}`,
  }
}

/** Up to the end of the statement: the first semicolon or closing brace outside of every bracket. @param {string} text */
function readStatement(text) {
  let depth = 0
  for (let place = 0; place < text.length; place++) {
    const letter = text[place] ?? ''
    if ('{(['.includes(letter)) depth++
    if ('})]'.includes(letter)) depth--
    const ends =
      depth === 0 && (letter === ';' || (letter === '}' && /^export (declare )?(class|interface)/.test(text)))
    if (ends) return text.slice(0, place + 1).slice(0, 4000)
  }
  return text.slice(0, 4000)
}
