import { parentPort } from 'node:worker_threads'
import { type Answered, type Question, asideJobs } from './long-bodies.ts'

/* The thread that works on long bodies: answers each question of long-bodies.ts, one after the other. */

parentPort?.on('message', ({ name, asked }: Question) => {
  parentPort?.postMessage(answerTo(name, asked))
})

const answerTo = (name: Question['name'], asked: never): Answered => {
  try {
    return { answer: asideJobs[name](asked) }
  } catch (error) {
    return { error }
  }
}
