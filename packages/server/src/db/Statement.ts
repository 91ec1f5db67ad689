/** Statement for the driver. */
export type Statement = {
  text: string
  values?: unknown[]
  name?: string | undefined
  quick?: boolean | undefined
  timeout?: number | undefined
  copy?: Buffer | undefined
}

/** Column of a result. */
export type ResultColumn = { name: string; dataTypeID: number }
