// Counts texts with npm's native tiktoken binding (o200k): node peer_tiktoken.cjs DIR FILE...
// DIR is where fetch_texts.sh put it. Prints what tokenizer_bench reads: the best of three.
'use strict';
const fs = require('fs');
const path = require('path');

const ROUNDS = 3;

async function main([directory, ...files]) {
  const tiktoken = require(path.resolve(directory, 'node/node_modules/@anysphere/tiktoken-node'));
  const tokenizer = tiktoken.getTokenizer();
  const count = (text) => tokenizer.exactNumTokensNoSpecialTokens(text, tiktoken.SupportedEncoding.O200k);
  await count('loads the vocabulary');
  for (const file of files) {
    const text = fs.readFileSync(file, 'utf8');
    let seconds = Infinity;
    let tokens = 0;
    for (let round = 0; round < ROUNDS; ++round) {
      const start = process.hrtime.bigint();
      tokens = await count(text);
      seconds = Math.min(seconds, Number(process.hrtime.bigint() - start) / 1e9);
    }
    console.log(['tiktoken', path.basename(file, '.txt'), tokens, seconds].join('\t'));
  }
}

main(process.argv.slice(2));
