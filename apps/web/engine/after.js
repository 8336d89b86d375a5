globalThis.createTendril = createTendril;
