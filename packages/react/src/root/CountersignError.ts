export { CountersignError } from '@countersign/protocol'
