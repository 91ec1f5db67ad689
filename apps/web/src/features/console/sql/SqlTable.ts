import type { Output } from '../ask.ts'

export type SqlTable = Output<'getSqlTables'>['results'][number]
