import { parentPort } from 'node:worker_threads'
import { type Answered, type Question, asideJobs } from './aside.ts'

/* The thread that works on long bodies: answers each question of aside.ts, one after the other. */

parentPort?.on('message', ({ id, name, asked }: Question) => {
  parentPort?.postMessage(answerTo(id, name, asked))
})

const answerTo = (id: number, name: Question['name'], asked: never): Answered => {
  try {
    return { id, answer: asideJobs[name](asked) }
  } catch (error) {
    return { id, error }
  }
}
