import { setup } from '../scripts/seedData.mjs'

export default setup
