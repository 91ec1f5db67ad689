import { emit, emitSame } from './emit.ts'
import { invalid, isObject, shown } from './invalid.ts'
import { readStages, type Stage } from './readStages.ts'
import { addFields } from './stages/addFields.ts'
import { facet } from './stages/facet.ts'
import { checkName, group } from './stages/group.ts'
import { lookup } from './stages/lookup.ts'
import { match } from './stages/match.ts'
import { page } from './stages/page.ts'
import { exclude, project } from './stages/project.ts'
import { replaceRoot } from './stages/replaceRoot.ts'
import { unwind } from './stages/unwind.ts'
import type { Rows, Work } from './Work.ts'

const deepest = 5

/** Adds the stages to the statement, one after another, each over the rows of the one before. */
export function runStages(work: Work, rows: Rows, stages: Stage[], depth = 0): Rows {
  if (depth > deepest) throw invalid(`Pipelines may be nested ${deepest} deep at most.`)
  return stages.reduce((before, stage) => runStage(work, before, stage, depth), rows)
}

function runStage(work: Work, rows: Rows, stage: Stage, depth: number): Rows {
  if ('page' in stage) return page(work, rows, stage.page)
  const { name, argument } = stage
  const inner = (innerWork: Work, innerRows: Rows, pipeline: unknown) =>
    runStages(innerWork, innerRows, readStages(pipeline), depth + 1)
  switch (name) {
    case '$match':
      return match(work, rows, argument)
    case '$group':
      return group(work, rows, argument)
    case '$project':
      return project(work, rows, argument)
    case '$addFields':
    case '$set':
      return addFields(work, rows, argument)
    case '$unset':
      return exclude(work, rows, readNames(argument))
    case '$unwind':
      return unwind(work, rows, argument)
    case '$lookup':
      return lookup(work, rows, argument, inner)
    case '$facet':
      return facet(work, rows, argument, inner)
    case '$count':
      return count(work, rows, argument)
    case '$sample':
      return sample(work, rows, argument)
    case '$sortByCount':
      return page(work, group(work, rows, { _id: argument, count: { $sum: 1 } }), { sort: { count: -1 }, skip: 0 })
    case '$replaceRoot':
      return replaceRoot(work, rows, isObject(argument) ? argument.newRoot : undefined)
    case '$replaceWith':
      return replaceRoot(work, rows, argument)
    case '$out':
    case '$merge':
      throw invalid(`${name} is not supported: an aggregate only reads.`)
  }
  throw invalid(`Unrecognized pipeline stage name: '${shown(name)}'.`)
}

function count(work: Work, rows: Rows, argument: unknown): Rows {
  if (typeof argument !== 'string') throw invalid('$count needs the name of a field.')
  checkName(argument)
  const columns = [[argument, { sql: 'count(*)::double precision', type: 'number' }] as const]
  return emit(work, { columns, body: `from ${rows.table} having count(*) > 0`, variables: rows.scope.variables })
}

function sample(work: Work, rows: Rows, argument: unknown): Rows {
  const size = isObject(argument) ? argument.size : undefined
  if (!Number.isSafeInteger(size) || (size as number) < 1) throw invalid('$sample needs a size of 1 or more.')
  const { order, ...unordered } = rows
  return emitSame(work, unordered, `from ${rows.table} order by random() limit ${work.bindings.bind(size)}::bigint`)
}

function readNames(argument: unknown): string[] {
  const names = Array.isArray(argument) ? argument : [argument]
  if (names.length === 0 || !names.every((name) => typeof name === 'string')) {
    throw invalid('$unset needs the name of a field, or a list of names.')
  }
  return names
}
