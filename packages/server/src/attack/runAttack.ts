import { version } from '../version.ts'
import type { AttackCase } from './AttackCase.ts'
import { type AttackClass, attackClasses, listEndpoints } from './AttackClass.ts'
import { ownCases } from './cases/ownCases.ts'
import { type Cast, createCast } from './createCast.ts'
import { createScene, type Scene, type SceneOptions } from './createScene.ts'
import type { Finding } from './Finding.ts'
import { rememberSchema, removeAll } from './removeAll.ts'
import { AttackStopped, CaseSkipped } from './stops.ts'
import { walkEndpoint } from './walkEndpoint.ts'

type ClassReport = {
  class: AttackClass
  title: string
  cases: number
  requests: number
  findings: number
  skipped: { case: string; reason: string }[]
}

export type AttackReport = {
  version: string
  target: string
  startedAt: string
  seconds: number
  requests: number
  /** Requests that a rate limit refused. */
  limited: number
  classes: ClassReport[]
  findings: Finding[]
  /** Things that the attack made and could not remove. */
  remains: string[]
  /** Reason, if the attack ended early. */
  stopped?: string
}

export type AttackOptions = SceneOptions & {
  only?: readonly AttackClass[] | undefined
  onCase?: (progress: { class: AttackClass; name: string; done: number; of: number; findings: number }) => void
}

/** Attacks a server that the caller has proven to be theirs. */
export async function runAttack({ only, onCase, ...options }: AttackOptions): Promise<AttackReport> {
  const started = new Date()
  const scene = await createScene(options)
  const classes: ClassReport[] = []
  let remains: string[] = []
  let stopped: string | undefined
  try {
    await rememberSchema(scene)
    const cast = await createCast(scene)
    const wanted = (Object.keys(attackClasses) as AttackClass[]).filter((name) => !only || only.includes(name))
    for (const name of wanted) {
      const report: ClassReport = {
        class: name,
        title: attackClasses[name],
        cases: 0,
        requests: 0,
        findings: 0,
        skipped: [],
      }
      classes.push(report)
      await runClass(scene, cast, report, onCase)
    }
  } catch (error) {
    // Without accounts nothing can be tested.
    if (error instanceof CaseSkipped) stopped = error.message
    else if (error instanceof AttackStopped) stopped = error.message
    else throw error
  } finally {
    scene.begin(undefined)
    remains = await removeAll(scene).catch((error: Error) => [`The removal failed: ${error.message}`])
    scene.target.close()
  }
  const { requests, limited } = scene.target.counts()
  return {
    ...{ version, target: options.origin, startedAt: started.toISOString(), requests, limited, classes, remains },
    seconds: Math.round((Date.now() - started.getTime()) / 100) / 10,
    findings: scene.findings,
    ...(stopped !== undefined && { stopped }),
  }
}

async function runClass(scene: Scene, cast: Cast, report: ClassReport, onCase: AttackOptions['onCase']): Promise<void> {
  const walked = listEndpoints().filter(({ class: of }) => of === report.class)
  const cases = [...ownCases, ...walked.flatMap(walkEndpoint)].filter(({ class: of }) => of === report.class)
  const before = scene.target.counts().requests
  const findingsBefore = scene.findings.length
  const snapshot = await cast.snapshot()
  for (const [index, each] of cases.entries()) {
    onCase?.({ class: report.class, name: each.name, done: index, of: cases.length, findings: scene.findings.length })
    await runCase(scene, cast, each, report)
    report.cases++
    report.requests = scene.target.counts().requests - before
    report.findings = scene.findings.length - findingsBefore
  }
  scene.begin({
    class: report.class,
    name: 'nothing of the victim has changed',
    sources: 'SEC-20',
  })
  const after = await cast.snapshot()
  scene.check(
    after === snapshot,
    undefined,
    `Something of the victim was changed: ${describe(snapshot, after)}`,
    'integrity',
  )
  report.cases++
  report.requests = scene.target.counts().requests - before
  report.findings = scene.findings.length - findingsBefore
}

async function runCase(scene: Scene, cast: Cast, each: AttackCase, report: ClassReport): Promise<void> {
  scene.begin(each)
  try {
    await each.run(scene, cast)
  } catch (error) {
    if (error instanceof AttackStopped) throw error
    if (error instanceof CaseSkipped) {
      report.skipped.push({ case: each.name, reason: error.message })
      return
    }
    const { code, name, message } = error as NodeJS.ErrnoException
    if (name === 'TimeoutError' || name === 'AbortError')
      return scene.report('delay', undefined, 'A request got no response in 30 seconds.')
    if (code === 'ECONNREFUSED') {
      scene.report('serverError', undefined, 'The server no longer accepts connections.')
      throw new AttackStopped('The server no longer accepts connections.')
    }
    scene.report('serverError', undefined, `The connection failed: ${message}`)
  }
}

/** First place where two texts differ. */
function describe(before: string, after: string): string {
  let index = 0
  while (index < before.length && before[index] === after[index]) index++
  const part = (text: string) => text.slice(Math.max(0, index - 60), index + 100)
  return `${part(before)} is now ${part(after)}`
}
