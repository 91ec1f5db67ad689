import { createInterface } from 'node:readline'
import { lockFolder } from './lockFolder.ts'

console.log('ready')

for await (const _ of createInterface({ input: process.stdin })) {
  lockFolder(process.argv[2] as string).then(
    () => console.log('got it'),
    (error: Error) => console.log(error.message),
  )
}
