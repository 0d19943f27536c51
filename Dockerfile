FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY own-node own-node
RUN npm ci --omit=dev && npm cache clean --force
COPY . .
RUN npm run build:web
RUN mkdir -p .data && chown node:node .data
USER node
EXPOSE 8080
CMD ["node", "src/start/main.ts"]
