// npm run sbom [-- FILE]: the components of the product as CycloneDX, from the lockfile and without a network.
import { writeFileSync } from 'node:fs'
import { createSbom } from './supply/createSbom.mjs'

const text = `${JSON.stringify(createSbom(), null, 2)}\n`
const [file] = process.argv.slice(2)
if (file === undefined) process.stdout.write(text)
else writeFileSync(file, text)
