import { CountersignError } from '@countersign/protocol'
import { isClassName } from '../classNames.ts'

/** Of a class that the schema API names. */
export function checkSchemaName(className: string): void {
  if (isClassName(className)) return
  throw new CountersignError(
    'InvalidClassName',
    `Invalid classname: ${className.slice(0, 100)}, classnames can only have alphanumeric characters and _, and must start with an alpha character `,
  )
}
