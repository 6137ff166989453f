#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

inline constexpr int kMostThreads = 1024;

/// Threads that divide the indices of a range among them. The calling thread works too, as thread 0.
class Pool {
 public:
  /// job(thread, index): the work for one index.
  using Job = std::function<void(int thread, int index)>;

  /// 0: one per hardware thread. If the system provides fewer threads than requested, those do all the work.
  explicit Pool(int threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }

  /// Runs the job for 0 … count-1 and returns when all are done. Threads take `chunk` indices at a time (0: several
  /// chunks per thread), each in ascending order. If jobs throw, the others still run and the exception of the lowest
  /// index is rethrown. Concurrent calls wait for one another; a job must not call run of its own pool.
  void run(int count, const Job& job, int chunk = 0);

 private:
  void help(int thread);
  void work(int thread);

  std::vector<std::thread> helpers_;
  std::mutex callers_;  // one run at a time

  std::mutex mutex_;  // guards what follows
  std::condition_variable started_, finished_;
  unsigned run_ = 0;  // number of the current run
  int busy_ = 0;      // helpers still working
  bool stopping_ = false;
  std::exception_ptr failure_;
  int failed_index_ = 0;

  // fixed during a run
  const Job* job_ = nullptr;
  int count_ = 0;
  int chunk_ = 1;
  std::atomic<std::int64_t> next_ = 0;
};

/// The job for 0 … count-1, one index at a time, on at most `threads` threads of a temporary pool.
void for_each_index(int count, int threads, const Pool::Job& job);

}  // namespace sinew
